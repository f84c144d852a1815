/** Column types of the compiler, and their names in DuckDB. */
import { keysOf } from '#contract/records';
import type { ScalarType } from '#contract/events/source';
import type { PhysicalType } from '#compiler/store';
import type { FieldNode } from '../../ingest/fields/field-tree';

const DUCKDB_TYPES: Readonly<Record<PhysicalType, string>> = {
  STRING: 'VARCHAR',
  INT64: 'BIGINT',
  FLOAT64: 'DOUBLE',
  BOOL: 'BOOLEAN',
  TIMESTAMP: 'TIMESTAMP',
  'ARRAY<STRING>': 'VARCHAR[]',
  'ARRAY<INT64>': 'BIGINT[]',
  'ARRAY<FLOAT64>': 'DOUBLE[]',
  'ARRAY<BOOL>': 'BOOLEAN[]',
};

const PHYSICAL_TYPES = new Map(keysOf(DUCKDB_TYPES).map((type) => [DUCKDB_TYPES[type], type]));

export function duckDbType(type: PhysicalType): string {
  return DUCKDB_TYPES[type];
}

/** @returns undefined for a type that no column of the store has. */
export function physicalType(duckDbName: string): PhysicalType | undefined {
  return PHYSICAL_TYPES.get(duckDbName);
}

/** Type of the column of a field. */
export function columnTypeOf(node: FieldNode): PhysicalType {
  if (node.kind === 'record') return 'BOOL';
  const type: ScalarType = node.type ?? 'STRING';
  return node.kind === 'list' ? `ARRAY<${type}>` : type;
}
