/** Creates a source: events of it are taken from the answer on. */
import { inTurn } from '../../management/change';
import { SOURCE_FORM } from '../../management/definition-forms';
import { readDefinitionInput } from '../../management/definition-input';
import { sendChangedSource, sourceChange } from '../../management/source-change';
import { negotiateFormat } from '../../parsing/negotiation/negotiate-format';
import type { KeyedHandler } from '../../router';

export const createSource: KeyedHandler = async (call) => {
  negotiateFormat(call.req, ['json']);
  const { text, message } = await readDefinitionInput(call, SOURCE_FORM);
  const change = sourceChange(call, message, [text, message ?? null]);
  await sendChangedSource(call, await inTurn(call, () => call.ctx.managedSources.create(text, change)));
};
