import { ServiceError } from '#contract/errors';
import type { StoredToken } from '#contract/tokens/token';
import { CatalogError, translateCatalogError } from '#server/catalog/database/catalog-error';
import { CatalogWatch } from '#server/catalog/database/catalog-watch';
import type { Database, RunStatement } from '#server/catalog/database/database';
import { DefinitionsError } from '#server/catalog/definitions/definition-problem';
import { OPEN_POLICY } from '../../../support/servers/in-memory';
import { createManualClock, type ManualClock, settle } from '../../../support/fakes/clock';

const token = (id: string): StoredToken => ({
  ...OPEN_POLICY,
  id,
  hash: '0'.repeat(64),
  previous: null,
  created_at: '2026-01-01T00:00:00Z',
  revoked_at: null,
});

/** The rows of a catalog, and what was asked of them. */
class Rows implements Database {
  tokens: StoredToken[] = [];
  tokenRevision = 0;
  /** Part of the state of the tokens that is not their revision. */
  lastEntry = 'a';
  definitionRevision = 1;
  pushMark = 'a';
  queryState = '0 a';
  looks = 0;
  /** Ids and times of the uses that were stored last. */
  uses: readonly unknown[] = [];
  isAway = false;
  /** Set: answers wait for it. */
  gate: Promise<void> | null = null;

  readonly run = (async (sql: string, values: readonly unknown[] = []) => {
    const { definitionRevision, pushMark, queryState, tokens } = this;
    const tokenState = `${this.tokenRevision} ${this.lastEntry}`;
    if (sql.startsWith('SELECT definition_revision')) this.looks += 1;
    if (this.gate) await this.gate;
    if (this.isAway) throw new CatalogError('unreachable', 'the database cannot be reached (ECONNREFUSED)');
    if (sql.startsWith('SELECT definition_revision'))
      return [
        {
          definition_revision: definitionRevision,
          push_mark: pushMark,
          token_state: tokenState,
          query_state: queryState,
        },
      ];
    if (sql.startsWith('INSERT INTO lqe_token_usage')) this.uses = values;
    if (sql.includes('lqe_tokens'))
      return tokens.length === 0
        ? [{ token_state: tokenState, id: null, token: null }]
        : tokens.map((stored) => ({ token_state: tokenState, id: stored.id, token: stored }));
    return [
      { kind: 'sources', file: 'sources.yaml', body: '' },
      { kind: 'query', file: 'a.yaml', body: '' },
    ];
  }) as RunStatement;

  readonly poll = this.run;

  add(id: string): void {
    this.tokens.push(token(id));
    this.tokenRevision += 1;
  }

  transact(): never {
    throw new Error('a server changes nothing');
  }

  close = async (): Promise<void> => undefined;
}

let clock: ManualClock;
let rows: Rows;
let watch: CatalogWatch;
let served: number;
let followed: number;
let refuse: Error | null;
/** Set: changes of saved queries cannot be read. */
let unreadable: Error | null;
let log: string[];
beforeEach(async () => {
  clock = createManualClock();
  rows = new Rows();
  served = 0;
  followed = 0;
  refuse = null;
  unreadable = null;
  log = [];
  const note = (_facts: object, message: string): void => void log.push(message);
  watch = new CatalogWatch({
    database: rows,
    clock,
    logger: { info: note, warn: note, error: note },
    maxAgeMs: 60_000,
    servedRevision: 1,
    refusedRevision: null,
    pushMark: 'a',
  });
  await watch.start(
    async () => {
      if (refuse) throw refuse;
      served += 1;
    },
    {
      sources: () => Promise.resolve(true),
      queries: async () => {
        if (unreadable) throw unreadable;
        followed += 1;
        return true;
      },
    }
  );
});

it('a database that has other changes in place of those it lost is followed, although their numbers are the same', async () => {
  rows.add('AAAAAAAA');
  await clock.pass(1000);
  await settle();
  const before = { served, followed };
  rows.tokens = [token('BBBBBBBB')];
  Object.assign(rows, { lastEntry: 'b', pushMark: 'b', queryState: '0 b' });
  await clock.pass(1000);
  await settle();
  expect([...watch.cachedSync()!.tokens.keys()]).toEqual(['BBBBBBBB']);
  expect({ served, followed }).toEqual({ served: before.served + 1, followed: before.followed + 1 });
  await clock.pass(1000);
  await settle();
  expect(served).toBe(before.served + 1);
});

describe('unknown tokens', () => {
  it('cost one database query for a hundred simultaneous callers', async () => {
    const asked = Array.from({ length: 100 }, () => watch.fresh());
    await settle();
    await Promise.all(asked);
    expect(rows.looks).toBe(1);
  });

  it('cost ten database queries a second however many callers come', async () => {
    for (let ms = 0; ms < 500; ms += 10) {
      void watch.fresh();
      await clock.pass(10);
    }
    expect(rows.looks).toBeLessThanOrEqual(6);
  });

  it('created while a database query runs are found by the next one', async () => {
    let open = (): void => undefined;
    rows.gate = new Promise((resolve) => (open = resolve));
    const early = watch.fresh();
    await settle();
    rows.add('AAAAAAAA');
    const late = watch.fresh();
    rows.gate = null;
    open();
    await clock.pass(200);
    expect((await early).tokens.has('AAAAAAAA')).toBe(false);
    expect((await late).tokens.has('AAAAAAAA')).toBe(true);
  });

  it('are answered from the last known state when the database does not answer in time', async () => {
    rows.gate = new Promise(() => undefined);
    const asked = watch.fresh();
    await clock.pass(1600);
    expect((await asked).tokens.size).toBe(0);
  });
});

describe('a database that does not answer', () => {
  it('is logged once, delays no caller, and is noticed when it answers again', async () => {
    rows.add('AAAAAAAA');
    await clock.pass(1000);
    rows.isAway = true;
    await clock.pass(5000);
    expect(watch.state()).toMatchObject({ check: 'stale', revision: 1 });
    const looks = rows.looks;
    expect((await watch.fresh()).tokens.has('AAAAAAAA')).toBe(true);
    expect(rows.looks).toBe(looks);
    rows.isAway = false;
    await clock.pass(1000);
    expect(watch.state().check).toBe('ok');
    expect(log).toEqual([expect.stringContaining('does not answer'), 'the catalog answers again']);
  });

  it('for too long makes all tokens refused', async () => {
    rows.isAway = true;
    await clock.pass(61_000);
    expect(watch.state().check).toBe('failed');
    await expect(watch.cached()).rejects.toMatchObject({ code: 'catalog_unavailable' });
    expect(watch.cachedSync()).toBeNull();
  });
});

describe('definitions', () => {
  it('are applied once for each revision', async () => {
    rows.definitionRevision = 2;
    await clock.pass(5000);
    expect([served, watch.state().revision]).toEqual([1, 2]);
  });

  it('that are invalid are not tried again; those that could not be tried are', async () => {
    refuse = new DefinitionsError([{ file: 'a.yaml', line: 1, column: 1, reason: 'wrong' }]);
    rows.definitionRevision = 2;
    await clock.pass(5000);
    expect(watch.state()).toMatchObject({ revision: 1, revisionInForce: 2, isRefused: true, refused: 1 });
    refuse = new Error('the engine is away');
    rows.definitionRevision = 3;
    await clock.pass(3000);
    expect(watch.state()).toMatchObject({ revision: 1, refused: 1 });
    refuse = null;
    await clock.pass(2000);
    expect([served, watch.state().revision]).toEqual([1, 3]);
    expect(watch.state()).toMatchObject({ revisionInForce: 3, isRefused: false });
  });

  it('that the store does not open with are tried again after a pause, and a further set at once', async () => {
    refuse = new ServiceError('backend_unavailable', 'ClickHouse does not answer', { reason: 'unreachable' });
    rows.definitionRevision = 2;
    await clock.pass(20_000);
    expect(log.filter((message) => message.startsWith('new definitions cannot be served'))).toHaveLength(1);
    refuse = null;
    await clock.pass(5000);
    expect(watch.state()).toMatchObject({ revision: 1, revisionInForce: 2, isRefused: false });
    await clock.pass(10_000);
    expect(watch.state().revision).toBe(2);
    refuse = new ServiceError('backend_unavailable', 'ClickHouse does not answer', { reason: 'unreachable' });
    rows.definitionRevision = 3;
    await clock.pass(2000);
    refuse = null;
    rows.definitionRevision = 4;
    await clock.pass(2000);
    expect(watch.state().revision).toBe(4);
  });

  it('that go back to the former revision are no longer reported as refused', async () => {
    refuse = new DefinitionsError([{ file: 'a.yaml', line: 1, column: 1, reason: 'wrong' }]);
    rows.definitionRevision = 2;
    await clock.pass(2000);
    rows.definitionRevision = 1;
    await clock.pass(2000);
    expect(watch.state()).toMatchObject({ revision: 1, revisionInForce: 1, isRefused: false });
  });
});

it('uses of tokens that could not be stored are stored later', async () => {
  const [early, late] = [new Date(1000), new Date(2000)];
  watch.noteUse('AAAAAAAA', early);
  watch.noteUse('BBBBBBBB', early);
  rows.isAway = true;
  const failing = watch.flush();
  watch.noteUse('BBBBBBBB', late);
  await expect(failing).rejects.toThrow(CatalogError);
  rows.isAway = false;
  await watch.flush();
  expect(rows.uses).toEqual([
    ['AAAAAAAA', 'BBBBBBBB'],
    [early, late],
  ]);
});

it('changed saved queries that cannot be read are reported once, and read as soon as they can be', async () => {
  await clock.pass(1000);
  unreadable = new CatalogError('failed', 'the database failed (SQLSTATE XX001)');
  rows.queryState = '1';
  await clock.pass(5000);
  expect(log).toEqual(['changed saved queries cannot be read']);
  unreadable = null;
  await clock.pass(1000);
  unreadable = new CatalogError('failed', 'not asked again');
  await clock.pass(5000);
  expect(log).toHaveLength(1);
});

it('no text of a driver error is reported except its code', () => {
  const secret = 'postgres://lqe:secret@db';
  const errors = [
    Object.assign(new Error(`no ${secret}`), { code: 'ECONNREFUSED' }),
    Object.assign(new Error(`no ${secret}`), { code: '28P01' }),
    Object.assign(new Error(`no ${secret}`), { code: 'XX000' }),
    Object.assign(new Error(`no ${secret}`), { code: secret }),
    new AggregateError([Object.assign(new Error(secret), { code: 'ETIMEDOUT' })]),
    new Error(secret),
    secret,
  ];
  for (const error of errors) {
    const translated = translateCatalogError(error);
    expect(JSON.stringify([translated.message, translated.stack, translated.cause])).not.toContain('secret');
  }
});

it.each([
  ['EPIPE', 'unreachable'],
  ['08P01', 'unreachable'],
  ['08006', 'unreachable'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'refused'],
  ['XX000', 'failed'],
])('a driver error with the code %s is %s', (code, trouble) => {
  expect(translateCatalogError(Object.assign(new Error(), { code })).trouble).toBe(trouble);
});
