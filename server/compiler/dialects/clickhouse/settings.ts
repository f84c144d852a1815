/** Settings that the printed SQL counts on. A store sends them with every statement. */
export const CLICKHOUSE_SETTINGS = Object.freeze({
  // NULL where ClickHouse of old has a default value.
  join_use_nulls: 1,
  aggregate_functions_null_for_empty: 1,
  // By the name that releases before 26.6 know too.
  allow_experimental_nullable_tuple_type: 1,
  allow_nullable_tuple_in_extracted_subcolumns: 1,
  // A name is a column before it is an alias of the select list.
  prefer_column_name_to_alias: 1,
  // Compiled after some runs, least and greatest of 128 bits give wrong numbers in 26.7.
  compile_expressions: 0,
  // A branch that is not taken fails nothing.
  short_circuit_function_evaluation: 'enable',
  // Printed statements are longer than texts of callers, and print-budget.ts bounds them.
  max_query_size: '2097152',
  max_ast_elements: '500000',
  max_expanded_ast_elements: '2000000',
  // Numbers as they are written, to the last digit; texts of JSON without escapes that JSON does not ask for.
  precise_float_parsing: 1,
  output_format_json_escape_forward_slashes: 0,
});
