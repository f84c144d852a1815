/** A column as a statement defines it. */
import type { PhysicalType } from '../../compiler/catalog';
import { duckDbType } from './column-types';
import { METADATA_COLUMN } from './insert-statement';
import { quoteName } from './quoting';

/**
 * Texts name their packing. Left to choose, DuckDB tries every one on every column, which doubles the time of a checkpoint; and for
 * the JSON texts, which are long and alike, it does not choose zstd, which makes them a fifth as large.
 */
export function columnDefinition(name: string, type: PhysicalType): string {
  const packing = name === METADATA_COLUMN ? 'zstd' : 'dict_fsst';
  return `${quoteName(name)} ${duckDbType(type)}${type === 'STRING' ? ` USING COMPRESSION ${packing}` : ''}`;
}
