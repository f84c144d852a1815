/** Arbitrary items of a SELECT list. */
import fc from 'fast-check';
import type { Arbitrary } from 'fast-check';
import type { Expression } from '#compiler/ast/expressions';
import type { SelectItem, SelectStar } from '#compiler/ast/queries';
import { few } from './depth';
import { alias, name, nameAfterDot, position } from './name';

export function arbitraryItem(expression: Arbitrary<Expression>): Arbitrary<SelectItem> {
  return fc.oneof(
    fc.record({ expression, alias }).map((values): SelectItem => ({ kind: 'select-expression', ...values, position })),
    fc
      .record({
        qualifier: fc
          .option(fc.tuple(name, fc.array(nameAfterDot, { maxLength: 1 })), { nil: null })
          .map((parts) => (parts === null ? [] : [parts[0], ...parts[1]])),
        except: fc.array(name, { maxLength: 2 }),
        replace: few(fc.record({ expression, name })),
      })
      .map((star): SelectStar => ({ kind: 'select-star', operand: null, ...star, position })),
    fc
      .record({ operand: expression, except: fc.array(name, { maxLength: 2 }) })
      .map((star): SelectStar => ({ kind: 'select-star', ...star, qualifier: [], replace: [], position }))
  );
}
