/** Values of a kind at any depth of arrays and structs. */
import type { Type } from '../../../ir/types';
import { mapped } from './lists';
import { nameOnce } from './bind-once';
import { castTo } from './literals';

export function holds(type: Type, kind: Type['kind']): boolean {
  if (type.kind === 'ARRAY') return holds(type.element, kind);
  return type.kind === 'STRUCT' ? type.fields.some((field) => holds(field.type, kind)) : type.kind === kind;
}

/** The value with all values of this kind in it replaced. @param replace receives and returns a text */
export function replacedIn(sql: string, type: Type, kind: Type['kind'], replace: (sql: string) => string): string {
  if (type.kind === kind) return replace(sql);
  return holds(type, kind) ? nameOnce(sql, (x) => inside(x, type, kind, replace)) : sql;
}

/** @param x a short text, which is repeated */
function inside(x: string, type: Type, kind: Type['kind'], replace: (sql: string) => string): string {
  switch (type.kind) {
    case kind:
      return replace(x);
    case 'ARRAY':
      return mapped(x, (item) => inside(item, type.element, kind, replace));
    case 'STRUCT': {
      const fields = type.fields.map((field, index) =>
        nameOnce(`tupleElement(${x}, ${index + 1})`, (v) => inside(v, field.type, kind, replace))
      );
      return `if(${x} IS NULL, NULL, ${castTo(`tuple(${fields.join(', ')})`, type)})`;
    }
    default:
      return x;
  }
}
