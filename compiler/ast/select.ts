import type { SourcePosition } from './node';
import type { SelectBody } from './queries';

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
