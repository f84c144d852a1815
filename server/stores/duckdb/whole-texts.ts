/** DuckDB's client would take a byte order mark off the start of every text that it reads. */
import { textDecoder } from '@duckdb/node-api/lib/vectors/dataAccessors';

const whole = new TextDecoder('utf-8', { ignoreBOM: true });

textDecoder.decode = whole.decode.bind(whole);
