/** Changes some fields of a source by a merge patch [RFC 7396]. Comments of its text stay. */
import { patchSource as patchText } from '../../../catalog/sources/source-text';
import { inTurn } from '../../management/change';
import { SOURCE_FORM } from '../../management/definition-forms';
import { readPatchInput } from '../../management/definition-input';
import { readPrecondition } from '../../management/preconditions';
import { sendChangedSource, sourceChange } from '../../management/source-change';
import { negotiateFormat } from '../../parsing/negotiation/negotiate-format';
import type { KeyedHandler } from '../../router';

export const patchSource: KeyedHandler = async (call) => {
  const { ctx, req, path } = call;
  negotiateFormat(req, ['json']);
  const expected = readPrecondition(req);
  const { patch, message } = await readPatchInput(call, SOURCE_FORM);
  const change = sourceChange(call, message);
  const edit = (text: string): string => patchText(text, patch);
  await sendChangedSource(call, await inTurn(call, () => ctx.managedSources.change(path.s, edit, expected, change)));
};
