/** Reads tests/corpus/tenants/protocols.yaml, whose head describes the form. */
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

const protocolsSchema = z.array(
  z.discriminatedUnion('protocol', [
    z.strictObject({
      protocol: z.enum(['bulk', 'collector', 'loki', 'events']),
      path: z.string(),
      type: z.string(),
      cases,
    }),
    z.strictObject({ protocol: z.literal('syslog'), listener: z.string(), cases }),
  ])
);

export interface HttpAttempt {
  readonly protocol: 'bulk' | 'collector' | 'loki' | 'events';
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
  const text = readFileSync(join(__dirname, '../../../corpus/tenants/protocols.yaml'), 'utf8');
  const http: HttpAttempt[] = [];
  const syslog: SyslogAttempt[] = [];
  for (const group of protocolsSchema.parse(parse(text)))
    for (const { place, path, type, headers, body, outcomes = [], refused = null } of group.cases) {
      const expected = { outcomes, refused };
      const name = `${group.protocol}: ${place}`;
      if (group.protocol === 'syslog') syslog.push({ listener: group.listener, name, body: String(body), expected });
      else
        http.push({
          ...{ protocol: group.protocol, name, headers, body, expected },
          ...{ path: path ?? group.path, type: type ?? group.type },
        });
    }
  return { http, syslog };
}

export function storedCount({ outcomes }: Expected): number {
  return outcomes.filter((outcome) => outcome === 'stored').length;
}
