/** What every part of a benchmark run agrees on. */
import { availableParallelism } from 'node:os';

/** The project asked about: the busiest of the sample. */
export const PROJECT = 'acornharvestplatform';

/** Store settings, the same for the engine and for hand-written SQL. */
export const MEMORY_LIMIT_MB = 512;
export const THREADS = availableParallelism();

export const DAYS = 7;
export const WINDOW_MICROS = DAYS * 24 * 3600 * 1_000_000;

export const WARM_UP_RUNS = 5;
export const RUNS = 40;

/** The bar of a benchmark of the service: this many times the best hand-written SQL, plus the milliseconds. */
export const RATIO_BAR = 1.5;
export const EXTRA_MS_BAR = 5;
/** The same for ClickHouse, whose own share of a call is larger. */
export const CLICKHOUSE_RATIO_BAR = 1.2;
/** Share of the same call without kept counts, asked again over a week. */
export const AGAIN_SHARE_BAR = 0.3;
export const COMPILE_LONG_BAR_MS = 5;
export const COMPILE_SHORT_BAR_MS = 2;
export const COMPILE_LQL_BAR_MS = 1;
export const INGEST_BAR_PER_SECOND = 40_000;
/** Events a second of two senders, of what one gets stored. */
export const TWO_SENDERS_BAR = 1;
/** What another token notices of hostile bodies. */
export const HOSTILE_QUERY_P99_BAR_MS = 1000;
export const HOSTILE_INGEST_P99_BAR_MS = 2000;
export const HOSTILE_THREAD_BAR_MS = 20;
/** A small uncached call beside two expensive queries of another token. */
export const NEIGHBOR_QUERY_P99_BAR_MS = 1000;
/** What a start may take longer for each GiB of the journal, beside storing its events. */
export const JOURNAL_BAR_MS_PER_GIB = 10_000;
export const MEMORY_BAR_BYTES = 1.5e9;
/** Processor time over sealed days, of that over open ones: none of the questions may become slower. */
export const SEAL_QUESTIONS_BAR = 1.1;
/** Latency beside a seal, of that without. */
export const SEAL_NEIGHBORS_BAR = 1.3;
/** Share of the same call without redaction. */
export const REDACTION_BAR = 1.3;
/** Share of the requests per second of a bare Express app. */
export const CACHE_HIT_BAR = 0.6;
/** Share of the requests per second of hits: as many, within what two turns differ by themselves. */
export const KNOWN_BAR = 0.95;
export const HIT_P99_BAR_MS = 250;
