/** Prints structs of named values. */

/**
 * Macros of DuckDB that printers use. DuckDB 1.5 binds an expression in a correlated subquery twice. The first time a
 * macro takes the place of its call, and loses the name that the call had in struct_pack: "Need named argument".
 */
const IS_MACRO =
  /^\(*(?:nullif|fmod|fdiv|split_part|date_add|round_even|array_to_string|list_(?:a(?:ny_value|ppend|vg)|bit_\w+|bool_\w+|count|first|last|m(?:ax|in)|prepend|reverse|sum)|array_(?:append|prepend|reverse))\(/;

/** @param fields quoted names with their values */
export function structPack(fields: readonly (readonly [name: string, sql: string])[]): string {
  const named = fields.map(([name, sql]) => `${name} := ${IS_MACRO.test(sql) ? `coalesce(${sql})` : sql}`);
  return `struct_pack(${named.join(', ')})`;
}
