/** Reads tests/corpus/tenants/doors.yaml, whose head describes the form. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

const caseSchema = z.strictObject({
  place: z.string(),
  path: z.string().optional(),
  type: z.string().optional(),
  headers: z.record(z.string(), z.string()).default({}),
  /** Text, or a Loki push. */
  body: z.unknown(),
  outcomes: z.array(z.string()).optional(),
  refused: z.tuple([z.int(), z.string()]).optional(),
});

const cases = z.array(caseSchema).min(1);

const doorsSchema = z.array(
  z.discriminatedUnion('door', [
    z.strictObject({
      door: z.enum(['bulk', 'collector', 'loki', 'events']),
      path: z.string(),
      type: z.string(),
      cases,
    }),
    z.strictObject({ door: z.literal('syslog'), listener: z.string(), cases }),
  ])
);

export interface HttpAttempt {
  readonly door: 'bulk' | 'collector' | 'loki' | 'events';
  readonly name: string;
  readonly path: string;
  readonly type: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly expected: Expected;
}

export interface SyslogAttempt {
  readonly listener: string;
  readonly name: string;
  readonly body: string;
  readonly expected: Expected;
}

export interface Expected {
  /** Outcome of each event: `stored`, or the code of its refusal; empty when the request is refused. */
  readonly outcomes: readonly string[];
  /** Status and code of a refused request. */
  readonly refused: readonly [number, string] | null;
}

interface Attempts {
  readonly http: readonly HttpAttempt[];
  readonly syslog: readonly SyslogAttempt[];
}

export function tenantAttempts(): Attempts {
  const text = readFileSync(join(__dirname, '../../../corpus/tenants/doors.yaml'), 'utf8');
  const http: HttpAttempt[] = [];
  const syslog: SyslogAttempt[] = [];
  for (const door of doorsSchema.parse(parse(text)))
    for (const { place, path, type, headers, body, outcomes = [], refused = null } of door.cases) {
      const expected = { outcomes, refused };
      const name = `${door.door}: ${place}`;
      if (door.door === 'syslog') syslog.push({ listener: door.listener, name, body: String(body), expected });
      else
        http.push({
          ...{ door: door.door, name, headers, body, expected },
          ...{ path: path ?? door.path, type: type ?? door.type },
        });
    }
  return { http, syslog };
}

export function storedCount({ outcomes }: Expected): number {
  return outcomes.filter((outcome) => outcome === 'stored').length;
}
