/** Operations that combine or reduce lists. */
import type { ListOps } from '../../../ir/ops';
import type { CallPrinters } from '../../dialect';
import { elements } from '../arrays/values';
import { bindOnce } from '../bind-once';
import { castTo, failsWhen } from '../literals';

export const lists: CallPrinters<ListOps> = {
  list_zip: (operands, { type, options }) =>
    castTo(
      bindOnce(operands, (...all) => {
        const missing = all.map((list) => `${list} IS NULL`).join(' OR ');
        const arrays = all.map(elements);
        const lengths = arrays.map((array) => `length(${array})`);
        const differ = lengths.slice(1).map((length) => `${length} <> ${lengths[0]}`);
        const strict =
          options.mode === 'STRICT' && differ.length > 0 ? ` OR ${failsWhen(differ.join(' OR '), 'list_lengths')}` : '';
        const cut = (array: string): string => `arraySlice(${array}, 1, least(${lengths.join(', ')}))`;
        const zipped = options.mode === 'TRUNCATE' ? arrays.map(cut) : arrays;
        return `if(${missing}${strict}, NULL, tuple(arrayZipUnaligned(${zipped.join(', ')})))`;
      }),
      type
    ),
};
