/** Normalization of Unicode. */
import { STRING } from '../../ir/types';
import { callValue, checkCount, typedArgument } from '../arguments';
import type { FunctionSpec } from '../function';

const FORMS: ReadonlySet<string> = new Set(['NFC', 'NFD', 'NFKC', 'NFKD']);

export const normalize: FunctionSpec = {
  names: ['NORMALIZE'],
  kind: 'scalar',
  safe: 'never fails',
  usage: 'NORMALIZE(text[, NFC])',
  summary: 'Equal characters written alike: a letter and its accent become one character.',
  resolve: (call, ctx) => {
    checkCount(call, ctx, normalize.usage, 1, 2);
    const [, form] = call.args;
    if (form !== undefined) {
      const name = form.kind === 'path' && form.parts.length === 1 ? (form.parts[0]?.name.toUpperCase() ?? '') : '';
      if (!FORMS.has(name)) ctx.fail('wrong_arguments', 'the form of NORMALIZE must be NFC', form.position);
      if (name !== 'NFC') {
        ctx.fail('not_supported', `NORMALIZE to ${name} is not supported by all stores`, form.position, 'use NFC');
      }
    }
    return callValue(call, 'normalize_nfc', [typedArgument(call, ctx, 0, STRING)], STRING);
  },
};
