/** Keeps byte order marks: DuckDB's client would otherwise remove one at the start of every text that it reads. */
import { textDecoder } from '@duckdb/node-api/lib/vectors/dataAccessors';

const whole = new TextDecoder('utf-8', { ignoreBOM: true });

textDecoder.decode = whole.decode.bind(whole);
