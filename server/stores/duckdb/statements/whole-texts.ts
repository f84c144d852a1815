/** Keeps byte order marks: DuckDB's client would otherwise remove one at the start of every text that it reads. */
import type { TextDecoder as Decoder } from 'node:util';
import { textDecoder } from '@duckdb/node-api/lib/vectors/dataAccessors';

const whole = new TextDecoder('utf-8', { ignoreBOM: true });

(textDecoder as Decoder).decode = whole.decode.bind(whole);
