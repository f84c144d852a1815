/** Arbitrary literals, parameters and paths. */
import fc from 'fast-check';
import type { Arbitrary } from 'fast-check';
import type { Expression } from '#compiler/ast/expressions';
import { anyText, nameAfterDot, pathStart, position } from './name';

const path: Arbitrary<Expression> = fc
  .tuple(pathStart, fc.array(nameAfterDot, { maxLength: 2 }))
  .map(([first, rest]) => ({ kind: 'path', parts: [first, ...rest], position }));
const parameter: Arbitrary<Expression> = fc
  .constantFrom('p', 'select', '_P1')
  .map((parameterName) => ({ kind: 'parameter', name: parameterName, position }));
const integer: Arbitrary<Expression> = fc
  .bigInt({ min: 0n, max: 2n ** 63n - 1n })
  .map((value) => ({ kind: 'literal', literal: { type: 'integer', digits: value.toString() }, position }));
/** What LIMIT takes. */
export const count = fc.oneof(parameter, integer);
/** Expressions without expressions in them. */
export const operand: Arbitrary<Expression> = fc.oneof(
  path,
  parameter,
  integer,
  fc
    .double({ min: 0, noNaN: true, noDefaultInfinity: true })
    .map((value): Expression => ({ kind: 'literal', literal: { type: 'float', value: Math.abs(value) }, position })),
  anyText.map((value): Expression => ({ kind: 'literal', literal: { type: 'string', value }, position })),
  fc.boolean().map((value): Expression => ({ kind: 'literal', literal: { type: 'bool', value }, position })),
  fc.constant<Expression>({ kind: 'literal', literal: { type: 'null' }, position }),
  fc
    .record({ type: fc.constantFrom('DATE' as const, 'TIMESTAMP' as const, 'DATETIME' as const), text: anyText })
    .map((literal): Expression => ({ kind: 'typed-literal', ...literal, position }))
);
