/** Operations that combine or reduce lists. */
import type { ListOps } from '../../../ir/ops';
import type { Type } from '../../../ir/types';
import type { CallPrinters } from '../../dialect';
import { bindOnce } from '../bind-once';
import { raise, structNames, typeName } from '../literals';

export const lists: CallPrinters<ListOps> = {
  list_zip: (operands, { type, options }) =>
    bindOnce(operands, (...all) => {
      const missing = all.map((list) => `${list} IS NULL`).join(' OR ');
      const lengths = all.slice(1).map((list) => `len(${list}) <> len(${all[0]})`);
      const strict =
        options.mode === 'STRICT' && lengths.length > 0
          ? `WHEN ${lengths.join(' OR ')} THEN ${raise('list_lengths')} `
          : '';
      const zipped = `list_zip(${all.join(', ')}${options.mode === 'TRUNCATE' ? ', TRUE' : ''})`;
      const fields = namesOf(type).map((name, index) => `${name} := struct_extract_at(z, ${index + 1})`);
      const structs = `list_transform(${zipped}, lambda z: struct_pack(${fields.join(', ')}))`;
      return `(CASE WHEN ${missing} THEN CAST(NULL AS ${typeName(type)}) ${strict}ELSE ${structs} END)`;
    }),
};

/** Names of the fields of a list's structs. */
function namesOf(type: Type): readonly string[] {
  if (type.kind !== 'ARRAY' || type.element.kind !== 'STRUCT') throw new Error('Zipped lists give a list of structs.');
  return structNames(type.element.fields.map(({ name }) => name));
}
