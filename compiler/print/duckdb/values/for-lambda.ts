/**
 * Lists that lambdas read, as the first operand of `list_transform` or `list_filter`.
 *
 * DuckDB computes a function of one dictionary-compressed column once for each value of the dictionary, also for values
 * of rows that the query leaves out, unless it knows that the function may fail. It does not see what may fail in a
 * lambda: such a failure would tell of rows that a filter excludes, those of other tenants among them.
 */

/** For a lambda that reads nothing but the elements of the list. A slice is a function that may fail. */
export function forLambda(list: string): string {
  return `(${list})[1:]`;
}

/** No list is as long. */
const END = '5000000000';

/**
 * For a lambda that reads columns, too: they are operands of the function. A slice of constants would be computed
 * before the query runs, and the column would be all that is left; a random number never is.
 */
export function forLambdaWithColumns(list: string): string {
  return `(${list})[1:${END} + CAST(random() AS INTEGER)]`;
}
