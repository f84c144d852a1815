/** Replaces the whole definition of a source, or creates one under the name of the path. */
import { UUID_PATTERN } from '#contract/queries/saved-query';
import { inTurn } from '../../management/change';
import { SOURCE_FORM } from '../../management/definition-forms';
import { readDefinitionInput } from '../../management/definition-input';
import { readPrecondition } from '../../management/preconditions';
import { sendChangedSource, sourceChange } from '../../management/source-change';
import { negotiateFormat } from '../../parsing/negotiation/negotiate-format';
import type { KeyedHandler } from '../../router';

export const replaceSource: KeyedHandler = async (call) => {
  const { ctx, req, path } = call;
  negotiateFormat(req, ['json']);
  const expected = readPrecondition(req, true);
  const given = UUID_PATTERN.test(path.s) ? {} : { name: path.s };
  const { text, message } = await readDefinitionInput(call, SOURCE_FORM, given);
  const change = sourceChange(call, message);
  await sendChangedSource(call, await inTurn(call, () => ctx.managedSources.replace(path.s, text, expected, change)));
};
