/** Definition of a column in a statement. */
import type { PhysicalType } from '#compiler/store';
import { duckDbType } from './column-types';
import { METADATA_COLUMN } from './stored-columns';
import { quoteName } from './quoting';

/**
 * Texts have an explicit compression. Otherwise DuckDB tries every method on every column, which doubles the time of a
 * checkpoint; and for the JSON texts, which are long and repetitive, it does not choose zstd, which reduces them to a
 * fifth.
 */
export function columnDefinition(name: string, type: PhysicalType): string {
  const packing = name === METADATA_COLUMN ? 'zstd' : 'dict_fsst';
  return `${quoteName(name)} ${duckDbType(type)}${type === 'STRING' ? ` USING COMPRESSION ${packing}` : ''}`;
}
