/** MIN, MAX, ANY_VALUE, LOGICAL_AND and LOGICAL_OR. */
import { BOOL, isOrdered, shortTypeName } from '../../ir/types';
import { simpleAggregate } from './aggregate';

export const min = extreme('MIN', 'min', 'The smallest value; NULL for no rows.');
export const max = extreme('MAX', 'max', 'The largest value; NULL for no rows.');

export const anyValue = simpleAggregate({
  names: ['ANY_VALUE'],
  fn: 'any_value',
  usage: 'ANY_VALUE([DISTINCT] value)',
  ignoresDistinct: true,
  summary: 'Some value of the group that is not NULL.',
  typeOf: (value) => ({ value, type: value.type }),
});

export const logicalAnd = logical(
  'LOGICAL_AND',
  'logical_and',
  'Whether a condition holds for all rows; NULL for no rows.'
);
export const logicalOr = logical(
  'LOGICAL_OR',
  'logical_or',
  'Whether a condition holds for any row; NULL for no rows.'
);

function extreme(name: string, fn: 'min' | 'max', summary: string) {
  return simpleAggregate({
    names: [name],
    fn,
    usage: `${name}(value)`,
    summary,
    modifiers: ['DISTINCT'],
    typeOf: (value, ctx) => {
      if (!isOrdered(value.type)) {
        ctx.fail(
          'type_mismatch',
          `${name} cannot compare ${shortTypeName(value.type)} values`,
          value.position,
          'open the array with CROSS JOIN UNNEST(...) AS x and use its fields'
        );
      }
      return { value, type: value.type };
    },
  });
}

function logical(name: string, fn: 'logical_and' | 'logical_or', summary: string) {
  return simpleAggregate({
    names: [name],
    fn,
    usage: `${name}([DISTINCT] condition)`,
    summary,
    ignoresDistinct: true,
    typeOf: (value, ctx, what) => ({ value: ctx.coerce(value, BOOL, what), type: BOOL }),
  });
}
