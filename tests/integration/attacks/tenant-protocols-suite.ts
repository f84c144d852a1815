/** Senders of one tenant name another in every place of every protocol (tests/corpus/tenants/protocols.yaml). */
import { appendFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ProtocolAnswer, expectAnswer } from '../../support/cases/tenants/protocol-answers';
import {
  type Expected,
  type HttpAttempt,
  storedCount,
  type SyslogAttempt,
  tenantAttempts,
} from '../../support/cases/tenants/tenant-protocols';
import buildServer from '../../support/processes/build-server';
import { encodePush, type Push } from '../../support/references/loki-messages';
import { encodeSnappy } from '../../support/references/snappy';
import { PROCESS_TOKEN } from '../../support/servers/spawned';
import { writeToken } from '../../support/servers/write-token';
import {
  callQuery,
  createSyslogPlace,
  readMetric,
  sendAndEnd,
  startSyslogService,
  type SyslogPlace,
  type SyslogService,
  untilMetric,
} from '../syslog/fixture';

const SOURCES = `
  - { name: hosts, retention_days: 90, tenant: metadata.hostname, fields: { hostname: STRING } }
  - { name: notes, retention_days: 90, fields: {} }
`;
const QUERIES = {
  events: `SELECT project AS tenant, event_message AS message FROM edge_requests
  UNION ALL SELECT m.project_ref, event_message FROM function_events CROSS JOIN UNNEST(metadata) AS m
  UNION ALL SELECT m.hostname, event_message FROM hosts CROSS JOIN UNNEST(metadata) AS m`,
  notes: `SELECT CAST(NULL AS STRING) AS tenant, event_message AS message FROM notes`,
};
const LISTENERS = ['column:edge_requests', 'record:function_events', 'host:hosts'].map((each) => {
  const [name, source] = each.split(':');
  return { name, transport: 'tcp', port: 0, source, tenant: 'acme' };
});
const { http, syslog } = tenantAttempts();

interface Row {
  readonly tenant: string | null;
  readonly message: string;
}

/** @param prepare makes the store @returns further settings of the server */
export function describeTenantProtocols(
  prepare: (settings: Readonly<Record<string, string>>) => Promise<Readonly<Record<string, string>>>
): void {
  jest.setTimeout(120_000);
  let place: SyslogPlace;
  let service: SyslogService;
  let tokens: Readonly<Record<string, string>>;
  const answers = new Map<string, ProtocolAnswer>();
  const seen: Record<string, readonly Row[]> = {};

  beforeAll(async () => {
    await buildServer();
    place = createSyslogPlace(LISTENERS);
    appendFileSync(place.env['LQE_SOURCES_FILE']!, SOURCES);
    Object.entries(QUERIES).forEach(([name, query], at) =>
      writeFileSync(
        path.join(place.endpointsDir, `protocols.${name}.yaml`),
        `id: 7d1a9fd0-0000-4000-8000-0000000000d${at}\nname: protocols.${name}\nquery: |\n  ${query}\n`
      )
    );
    tokens = createTokens(place.dataDir);
    const settings = await prepare(place.env);
    service = await startSyslogService(place, settings);
    const own = SENDERS.map((sender) => ({ id: `of victim, ${sender}`, timestamp: TIME, message: 'of victim' }));
    await post('/api/logs?source=edge_requests', 'victim', 'application/json', JSON.stringify(own));
    for (const [at, attempt] of http.entries())
      for (const sender of SENDERS) answers.set(`${sender} ${at}`, await send(attempt, at, sender));
    for (const [at, attempt] of syslog.entries()) await sendMessages(attempt, at);
    for (const reader of ['tenant', 'victim'])
      seen[reader] = await callQuery<Row>(service, 'protocols.events', tokens[reader]);
    seen['all'] = await callQuery<Row>(service, 'protocols.events');
    seen['notes'] = await callQuery<Row>(service, 'protocols.notes');
  }, 180_000);

  afterAll(async () => {
    await service?.stop();
    place.remove();
  });

  const post = async (
    target: string,
    sender: string,
    type: string,
    body: string | Uint8Array<ArrayBuffer>,
    headers: Readonly<Record<string, string>> = {}
  ): Promise<ProtocolAnswer> => {
    const token = { Authorization: `Bearer ${tokens[sender]!}` };
    const answer = await fetch(service.url + target, {
      method: 'POST',
      headers: { ...token, 'Content-Type': type, ...headers },
      body,
    });
    return { status: answer.status, text: await answer.text() };
  };

  const send = ({ protocol, path: target, type, headers, body }: HttpAttempt, at: number, sender: string) => {
    const fill = (text: string): string => fillIn(text, messageOf(sender, at)).replaceAll('{{sender}}', sender);
    const filled = fill(typeof body === 'string' ? body : JSON.stringify(body));
    const given = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, fill(value)]));
    const bytes = protocol === 'loki' ? Uint8Array.from(encodeSnappy(encodePush(JSON.parse(filled) as Push))) : filled;
    return post(target, sender, type, bytes, given);
  };

  const sendMessages = async ({ listener, body, expected }: SyslogAttempt, at: number): Promise<void> => {
    const counted = `"${listener}"`;
    const before = await readMetric(service, 'logquery_syslog_messages_total', counted);
    const events = (await accepted()) + storedCount(expected);
    await sendAndEnd(service.portOf(listener), fillIn(body, messageOf('syslog', at)));
    await untilMetric(service, 'logquery_syslog_messages_total', counted, before + storedCount(expected));
    for (const until = Date.now() + 20_000; (await accepted()) < events && Date.now() < until; await sleep(20));
  };

  const accepted = (): Promise<number> => readMetric(service, 'logquery_ingest_entries_total', 'outcome="accepted"');

  /** Events of an attempt as they are seen: those of acme by its own token, all by one without a tenant. */
  const expectStored = (message: string, expected: Expected): void => {
    const own = Array.from({ length: storedCount(expected) }, () => 'acme');
    const tenantsIn = (reader: string): unknown =>
      seen[reader]!.filter((row) => row.message.includes(message)).map(({ tenant }) => tenant);
    expect([tenantsIn('tenant'), tenantsIn('all'), tenantsIn('victim')]).toEqual([own, own, []]);
  };

  describe.each(SENDERS)('a token of %s', (sender) => {
    it.each(http.map((attempt, at) => [attempt.name, at, attempt] as const))('%s', (_name, at, attempt) => {
      expectAnswer(attempt, answers.get(`${sender} ${at}`)!);
      expectStored(messageOf(sender, at), attempt.expected);
    });
  });

  it.each(syslog.map((attempt, at) => [attempt.name, at, attempt] as const))('%s', (_name, at, { expected }) =>
    expectStored(messageOf('syslog', at), expected)
  );

  it('every tenant sees its own events only', async () => {
    expect(seen['victim']).toEqual(SENDERS.map(() => ({ tenant: 'victim', message: 'of victim' })));
    expect(seen['tenant']).toHaveLength(seen['all']!.length - SENDERS.length);
    expect(seen['notes']).toEqual([]);
    expect(await readMetric(service, 'logquery_syslog_lost_total')).toBe(0);
  });
}

/** Both kinds of tokens that belong to a tenant. */
const SENDERS = ['tenant', 'bound'];
const TIME = new Date(Date.now() - 60_000).toISOString();

function createTokens(dataDir: string): Readonly<Record<string, string>> {
  const create = (name: string, tenant: string | null, fixed: Readonly<Record<string, string>> = {}): string =>
    writeToken(dataDir, {
      ...{ name, tenant, fixed_parameters: fixed },
      ...{ scopes: ['query', 'ingest'], rate: 9_999_999 },
    });
  return {
    tenant: create('tenant', 'acme'),
    bound: create('bound', null, { project: 'acme' }),
    victim: create('victim', 'victim'),
    all: PROCESS_TOKEN,
  };
}

/** No message is a part of another. */
function messageOf(sender: string, at: number): string {
  return `${sender}-${at};`;
}

function fillIn(text: string, message: string): string {
  const nanos = `${Date.now()}000000`;
  return text.replaceAll('{{message}}', message).replaceAll('{{nanos}}', nanos).replaceAll('{{time}}', TIME);
}
