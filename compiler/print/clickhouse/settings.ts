/**
 * Settings of statements with random values, besides: each is computed where it is written, once for each row there,
 * not before lists are opened and tables are joined.
 */
export const VOLATILE_SETTINGS = Object.freeze({
  query_plan_merge_expressions: 0,
  query_plan_lift_up_array_join: 0,
  query_plan_filter_push_down: 0,
  enable_join_runtime_filters: 0,
});

/**
 * Settings of statements with many conditions, besides: ClickHouse makes a step of each condition, and copies the
 * others for each of them. Without, a condition on a WITH query is not checked before columns are read.
 */
export const MANY_CONDITIONS_SETTINGS = Object.freeze({ query_plan_merge_filters: 0 });

/** Up to this many conditions take ClickHouse some milliseconds. */
const MANY_CONDITIONS = 100;

/** Whether a printed statement has more conditions than ClickHouse takes apart in little time. */
export function hasManyConditions(sql: string): boolean {
  let count = 0;
  for (let at = sql.indexOf(AND); at >= 0 && count <= MANY_CONDITIONS; at = sql.indexOf(AND, at + 1)) count += 1;
  return count > MANY_CONDITIONS;
}

const AND = ' AND ';

/** Settings that the printed SQL depends on, sent with every statement. */
export const CLICKHOUSE_SETTINGS = Object.freeze({
  // NULL instead of ClickHouse's default values.
  join_use_nulls: 1,
  aggregate_functions_null_for_empty: 1,
  // What a profile of the user may have set otherwise.
  compatibility: '',
  enable_analyzer: 1,
  transform_null_in: 0,
  date_time_64_output_format_cut_trailing_zeros_align_to_groups_of_thousands: 0,
  formatdatetime_parsedatetime_m_is_month_name: 1,
  bool_true_representation: 'true',
  bool_false_representation: 'false',
  enable_named_columns_in_function_tuple: 0,
  empty_result_for_aggregation_by_empty_set: 0,
  // An empty list in FROM would make a group of no rows by a key that is a constant of a derived table.
  optimize_group_by_constant_keys: 0,
  // Setting name that releases before 26.6 also know.
  allow_experimental_nullable_tuple_type: 1,
  allow_nullable_tuple_in_extracted_subcolumns: 1,
  // A name refers to a column before an alias of the select list.
  prefer_column_name_to_alias: 1,
  // Compiled expressions compute wrong least and greatest of 128-bit integers in 26.7.
  compile_expressions: 0,
  // A branch that is not taken must not fail.
  short_circuit_function_evaluation: 'enable',
  // max(if(condition, x, NULL)) as maxIf(x, condition) would compute x for rows that the condition excludes.
  optimize_rewrite_aggregate_function_with_if: 0,
  // extract(x, 'a.*$') would become extract(x, 'a'), and replacing all of '(?m)a$' would replace the first only.
  optimize_rewrite_regexp_functions: 0,
  // x LIKE '%a' OR x LIKE '%b' OR ... as match(x, '(a|b)$') would find texts with a line break behind the a.
  optimize_or_like_chain: 0,
  // x = 0 OR x = 1 OR x = 2 as x IN (0, 1, 2) would not find minus zero: sets compare bits.
  optimize_min_equality_disjunction_chain_length: '1000000',
  // Printed statements are longer than the callers' texts; print-budget.ts bounds them.
  max_query_size: '2097152',
  max_ast_elements: '500000',
  max_expanded_ast_elements: '2000000',
  // Exact numbers, and JSON without unnecessary escapes.
  precise_float_parsing: 1,
  output_format_json_escape_forward_slashes: 0,
});
