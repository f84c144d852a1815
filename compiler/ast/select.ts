import type { SourcePosition } from './node';
import type { QueryBody, SelectBody } from './queries';

/** A SELECT without clauses, as the compiler writes it. */
export function emptyBody(position: SourcePosition): Omit<SelectBody, 'items'> {
  return {
    kind: 'select',
    distinct: false,
    as: null,
    from: null,
    where: null,
    groupBy: null,
    having: null,
    qualify: null,
    windows: [],
    position,
  };
}

/** `SELECT *`, as the compiler writes it. */
export function selectAll(from: SelectBody['from'], position: SourcePosition): SelectBody {
  const star = { kind: 'select-star', operand: null, qualifier: [], except: [], replace: [], position } as const;
  return { ...emptyBody(position), from, items: [star] };
}

/** Whether each row is made by SELECT AS STRUCT, or by SELECT AS VALUE. */
export function selectsAs(body: QueryBody, as: 'STRUCT' | 'VALUE'): boolean {
  switch (body.kind) {
    case 'select':
      return body.as === as;
    case 'query':
      return selectsAs(body.body, as);
    case 'set-operation':
      return body.branches.every((branch) => selectsAs(branch, as));
    default:
      return false;
  }
}
