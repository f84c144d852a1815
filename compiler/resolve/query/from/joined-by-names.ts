/** USING as a condition of ON, for joins whose right side is not resolved before its condition. */
import type { Expression, Identifier } from '../../../ast';
import type { ExpressionResolver } from '../../expressions/resolve-expression';
import type { RangeVariable } from '../../names/scope';
import type { Piece } from './from-piece';
import { usingSide } from './join-pieces';

export interface NamesOfJoin {
  /** Equality of all names; null if there are none. */
  readonly on: Expression | null;
  /** Sets the values of the names for a resolver of the condition. @param right names of the right side */
  know(resolver: ExpressionResolver, right: readonly RangeVariable[]): void;
}

export function joinedByNames(using: readonly Identifier[], left: Piece): NamesOfJoin {
  const placeholder = ({ position }: Identifier): Expression => ({
    kind: 'literal',
    literal: { type: 'null' },
    position,
  });
  const sides = using.map((name) => ({ name, left: placeholder(name), right: placeholder(name) }));
  const on = sides
    .map(({ name, ...operands }): Expression => ({
      kind: 'binary',
      operator: '=',
      ...operands,
      position: name.position,
    }))
    .reduce<Expression | null>(
      (all, equal) =>
        all === null ? equal : { kind: 'binary', operator: 'AND', left: all, right: equal, position: equal.position },
      null
    );
  return {
    on,
    know: (resolver, right) => {
      for (const side of sides) {
        const { position } = side.name;
        resolver.known.set(side.left, usingSide(side.name, left).value(position));
        resolver.known.set(side.right, usingSide(side.name, { variables: right, merged: [] }).value(position));
      }
    },
  };
}
