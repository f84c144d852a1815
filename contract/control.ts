/**
 * Protocol of the control socket, which commands on the machine use to read the store of a running server. One JSON
 * text per line: a request, then its reply, in this order.
 */
import { z } from 'zod';
import { ERROR_CODES } from './errors';
import { keysOf } from './records';
import { SCALAR_TYPES, sourceSchema } from './events/source';

/** Maximum size of the line of a request, and of a reply. */
export const MAX_REQUEST_BYTES = 4096;
export const MAX_REPLY_BYTES = 64 * 1024 * 1024;

/** A peer without a request for this long is disconnected. */
export const PEER_IDLE_MS = 60_000;

/** Folder in the data folder to which the store exports rows. */
export const STAGING_FOLDER = 'backup-staging';

/** Maximum rows of one `export`: bounds the time of its transaction. */
export const MAX_EXPORT_ROWS = 500_000;

const sourceName = sourceSchema.shape.name;

const rowRangeSchema = z
  .strictObject({
    source: sourceName,
    /** Days since 1970. */
    day: z.int(),
    /** Row numbers in the day, from 0; `to` is exclusive. */
    from: z.int().min(0),
    to: z.int().min(1),
  })
  .refine(({ from, to }) => from < to && to - from <= MAX_EXPORT_ROWS, 'a range of 1 to 500000 rows');

export const controlRequestSchema = z.union([
  z.strictObject({ do: z.literal('list') }),
  z.strictObject({ do: z.literal('export'), rows: rowRangeSchema }),
  /** Seals one day. */
  z.strictObject({ do: z.literal('seal') }),
]);

/** Events of one source and one UTC day. */
export const storedDaySchema = z.strictObject({
  source: sourceName,
  day: z.int(),
  rows: z.int().min(0),
  /** Changes with every event that is added to the day or removed from it. */
  fingerprint: z.string().regex(/^[A-Za-z0-9._-]{1,80}$/),
});

/** A nested field that a store knows, without the name that the store gave to its column. */
export const storedFieldSchema = z.strictObject({
  path: z.array(z.string()).min(1),
  kind: z.enum(['empty', 'leaf', 'list', 'record', 'records']),
  type: z.enum(SCALAR_TYPES).nullable(),
  has_column: z.boolean(),
  /** Tenant of the sender that added the field; absent: it counts for no tenant. */
  tenant: z.string().min(1).optional(),
});

const storedListSchema = z.strictObject({
  days: z.array(storedDaySchema),
  /** Nested fields by source, a path before the paths below it. */
  fields: z.record(z.string(), z.array(storedFieldSchema)),
  /** Sources with stored events that are not declared any more. */
  undeclared: z.array(z.string()),
  /** Days whose events a damaged file of the store has lost, and which are not in `days`; absent: none. */
  damaged: z.array(storedDaySchema.pick({ source: true, day: true })).optional(),
});

export const exportedRowsSchema = z.strictObject({
  /** Name of a Parquet file in the staging folder; the receiver removes it. */
  file: z.string().regex(/^[0-9a-f-]{36}\.parquet$/),
  rows: z.int().min(0),
});

const SEAL_FAULTS = ['disk_full', 'memory', 'other'] as const;
export type SealFault = (typeof SEAL_FAULTS)[number];

const sealedDaySchema = z.strictObject({ source: sourceName, day: z.int(), rows: z.int().min(0) });

/** Reply to `seal`. */
export const sealReportSchema = z.strictObject({
  /** Null: no past day is left. */
  sealed: sealedDaySchema.nullable(),
  state: z.strictObject({
    /** Number of days with events, and of those whose events are all sealed. */
    sources: z.array(
      z.strictObject({
        source: sourceName,
        days: z.int().min(0),
        sealed: z.int().min(0),
        /** Why the last attempt to seal a day of the source failed. */
        fault: z.enum(SEAL_FAULTS).nullable(),
      })
    ),
    /** The day that is being sealed, with the rows that are copied. */
    running: sealedDaySchema.nullable(),
    /** Failed attempts of this process. */
    failures: z.int().min(0),
  }),
});

/** Absolute paths that the server reads its definitions from. */
const definitionFilesSchema = z.strictObject({ endpoints_dir: z.string(), sources_file: z.string() });

/** Reply to `list`. */
export const controlListSchema = z.strictObject({
  sources: z.array(sourceSchema),
  stored: storedListSchema,
  /** Null: the definitions are in a database. Servers of earlier versions do not say it. */
  files: definitionFilesSchema.nullable().optional(),
});

export const controlReplySchema = z.union([
  z.strictObject({ ok: z.literal(true), value: z.unknown() }),
  z.strictObject({
    ok: z.literal(false),
    error: z.strictObject({
      code: z.enum(keysOf(ERROR_CODES)),
      message: z.string(),
      details: z.record(z.string(), z.unknown()),
    }),
  }),
]);

export type RowRange = z.infer<typeof rowRangeSchema>;
export type ControlRequest = z.infer<typeof controlRequestSchema>;
export type ControlReply = z.infer<typeof controlReplySchema>;
export type StoredDay = z.infer<typeof storedDaySchema>;
export type DamagedDay = Pick<StoredDay, 'source' | 'day'>;
export type StoredField = z.infer<typeof storedFieldSchema>;
export type StoredList = z.infer<typeof storedListSchema>;
export type SealReport = z.infer<typeof sealReportSchema>;
export type SealState = SealReport['state'];
export type SealedDay = z.infer<typeof sealedDaySchema>;
export type DefinitionFiles = z.infer<typeof definitionFilesSchema>;
export type ExportedRows = z.infer<typeof exportedRowsSchema>;
