/** Every attack of tests/corpus/attacks, over HTTP, on the built server with a real store, in every mode. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type AttackCase,
  type AttackClass,
  type AttackMode,
  type AttackStep,
  readAttackClasses,
  readAttackModes,
  stepsOf,
} from '../../support/cases/attacks';
import {
  type AttackAnswer,
  type Ground,
  HEAVY_ATTACKERS,
  NEIGHBOUR_MARK,
  openGround,
  removeTokens,
  SOURCES,
} from '../../support/servers/attack-target';
import buildServer from '../../support/processes/build-server';

/**
 * What an answer never holds: words of the stores, of our code, of the place it runs at, and of what lies behind the
 * sandbox.
 */
const NEVER_ANY = [
  /duckdb|sqlite|(Binder|Catalog|Parser|Conversion|Invalid Input|Out of Memory|Constraint|Internal|INTERNAL|Serialization|IO) Error/,
  /DB::|Code: \d+|chdb|MergeTree|Nullable\(|DateTime64|throwIf|JSONCompact|lqe_(fields|dead)|\{p\d+:/,
  /node_modules|node:internal|\.(js|ts):\d+|\bat \w+ \(/,
  /\/tmp\/|\/proc\/|\/home\/|build\/(server|bin|process)/,
  /metadata\.request|json_extract|struct_pack|read_json|list_transform/,
];

/** Where the events of the two projects are. */
export interface AttackedStore {
  /** Environment of the server of one mode, whose store is empty. */
  environmentOf(mode: AttackMode): Promise<Readonly<Record<string, string>>>;
  /** Heavy attacks at the same time: one, where a process is ended by the worst of them. */
  readonly heavyAtOnce: number;
  /** Statements that the store runs at this moment. */
  countRunning(): Promise<number>;
  stop(): Promise<void>;
}

const CLASSES = readAttackClasses();
const MODES = readAttackModes();
/** Fewer than one token may run and let wait. */
const AT_ONCE = 6;

export function describeAttacks(openStore: () => Promise<AttackedStore>): void {
  jest.setTimeout(120_000);
  let store: AttackedStore;
  beforeAll(async () => {
    await buildServer();
    store = await openStore();
  }, 180_000);
  afterAll(() => store.stop());
  afterAll(removeTokens);

  it('there are at least 500 attacks, each with a name of its own', () => {
    const names = CLASSES.flatMap((each) => each.cases.map(({ attack }) => `${each.class}: ${attack}`));
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThanOrEqual(500);
  });

  it('each class of attacks runs in some mode', () => {
    const isTried = (each: AttackClass): boolean =>
      MODES.some((mode) => mode.heavy === each.heavy && !mode.without.includes(each.class));
    expect(CLASSES.filter((each) => !isTried(each))).toEqual([]);
  });

  describe.each(MODES.map((mode) => [mode.name, mode] as const))('%s', (_name, mode) => {
    let ground: Ground;
    /** After the latest class of attacks. */
    let stock: unknown;
    beforeAll(async () => {
      ground = await openGround(mode, await store.environmentOf(mode));
      stock = await ground.takeStock();
    }, 120_000);
    afterAll(() => ground.close());

    const classes = CLASSES.filter((each) => !mode.without.includes(each.class) && each.heavy === mode.heavy);
    describe.each(classes.map((each) => [each.class, each] as const))('%s', (_class, attacks) => {
      let pid: number;
      const outcomes = new Map<AttackCase, Promise<void>>();
      beforeAll(() => {
        pid = ground.enginePid();
        const tried = (attack: AttackCase) => tryAttack(ground, mode, attacks, attack);
        if (!attacks.heavy) beginAttacks(attacks.cases, AT_ONCE, outcomes, tried);
        else
          beginAttacks(attacks.cases, store.heavyAtOnce, outcomes, (attack) =>
            underProbes(ground, () => tried(attack))
          );
      });

      it.each(attacks.cases.map((each) => [each.attack, each] as const))('%s', async (_attack, attack) => {
        await outcomes.get(attack);
      });

      it('the attacks of this class have left data, other tenants and the engine process unchanged', async () => {
        const before = stock;
        stock = await ground.takeStock();
        expect(stock).toEqual(before);
        if (!attacks.engine_may_end) expect(ground.enginePid()).toBe(pid);
        expect((await fetch(`${ground.service.url}/health/live`)).status).toBe(200);
        expect(await becomesReady(ground)).toBe(true);
        expect(await becomesQuiet(store)).toBe(true);
      });
    });

    it('the log has no token, no text of a caller and no row', () => {
      const output = ground.service.output();
      expect(output).toContain('"msg":"request"');
      const secrets = Object.values(ground.words).map((text) => text.replace(/^lqe_.{8}_/, ''));
      for (const secret of [...secrets, NEIGHBOUR_MARK, 'LOGMARK', 'ada.attack', 'mine 1', 'select ', 'SELECT '])
        expect([secret, output.includes(secret)]).toEqual([secret, false]);
    });
  });
}

/** Some at a time, in order; each outcome is awaited by the test of its case. */
function beginAttacks(
  cases: readonly AttackCase[],
  atOnce: number,
  outcomes: Map<AttackCase, Promise<void>>,
  attack: (each: AttackCase) => Promise<void>
): void {
  const lanes: Promise<void>[] = Array.from({ length: atOnce }, () => Promise.resolve());
  cases.forEach((each, index) => {
    const lane = index % atOnce;
    const outcome = lanes[lane]!.then(() => attack(each));
    // Its test tells of a failure.
    lanes[lane] = outcome.catch(() => undefined);
    outcomes.set(each, outcome);
  });
  for (const outcome of outcomes.values()) outcome.catch(() => undefined);
}

async function tryAttack(ground: Ground, mode: AttackMode, attacks: AttackClass, attack: AttackCase): Promise<void> {
  const turn = attacks.cases.indexOf(attack);
  for (const written of stepsOf(attacks, attack)) {
    const step = attacks.heavy ? asHeavyAttacker(written, turn) : written;
    const count = attack.at_once ?? 1;
    const first = await Promise.all(Array.from({ length: count }, () => sendPatiently(ground, step)));
    for (const answer of first) if (!attacks.heavy || !hasEndedEngine(answer)) judge(mode, step, answer);
    for (let time = 1; time < mode.times && isQuestion(step) && count === 1; time += 1) {
      const again = await sendPatiently(ground, step);
      if (attacks.heavy && hasEndedEngine(again)) break;
      judge(mode, step, again);
      if (!attacks.heavy)
        expect([again.status, withoutIds(again.text)]).toEqual([first[0]!.status, withoutIds(first[0]!.text)]);
    }
  }
}

function asHeavyAttacker(step: AttackStep, turn: number): AttackStep {
  return { token: HEAVY_ATTACKERS[turn % HEAVY_ATTACKERS.length]!, ...step };
}

/** The token's texts have ended the engine twice: it is refused for a minute. */
function hasEndedEngine({ text }: AttackAnswer): boolean {
  return text.includes('"reason":"engine_ended"');
}

/** Retries after `Retry-After`, except in cases about that response. */
async function sendPatiently(ground: Ground, step: AttackStep): Promise<AttackAnswer> {
  const isExpected = (step.expect ?? []).some((outcome) => /^(429|503)/.test(outcome));
  for (let attempt = 0; ; attempt += 1) {
    const answer = await ground.send(step);
    if (![429, 503].includes(answer.status) || isExpected || attempt > 10 || hasEndedEngine(answer)) return answer;
    await sleep(1000);
  }
}

function judge(mode: AttackMode, step: AttackStep, answer: AttackAnswer): void {
  const { status, headers, text } = answer;
  const error = status >= 400 ? (JSON.parse(text) as { error: { code: string; details: object } }).error : null;
  const outcome = error ? `${status} ${error.code}` : String(status);
  const shown = `${outcome}: ${text.slice(0, 400)}`;
  const expected = step.expect ?? [];
  expect([shown, expected.includes(outcome) || expected.includes(String(status))]).toEqual([shown, true]);
  if (error) expect(error.details).toHaveProperty('request_id', headers['x-request-id']);
  if (step.rows !== undefined) expect(JSON.parse(text)).toEqual({ result: step.rows });
  for (const [name, value] of Object.entries(step.answer ?? {}))
    expect(headers[name.toLowerCase()] ?? null).toBe(value);

  const all = withoutId(`${JSON.stringify(headers)} ${text}`, headers['x-request-id']);
  // A response may repeat the caller's own text.
  const written = [
    step.sql,
    step.lql,
    ...new URLSearchParams(step.get).values(),
    step.get,
    step.request,
    step.body,
  ].join(' ');
  // A request that is written out whole does not have the headers of the mode.
  const ofMode = step.request === undefined ? mode.never : [];
  const never = [...ofMode, ...(step.never ?? []), ...(step.token === 'neighbour' ? [] : [NEIGHBOUR_MARK])];
  // One `expect` for all of them, and not one for each: it makes an error beforehand, with its stack.
  const found = [
    ...never.filter((word) => all.includes(word)),
    ...SOURCES.filter((source) => !written.includes(source) && status >= 400 && all.includes(source)),
    ...NEVER_ANY.map((pattern) => pattern.exec(all)?.[0] ?? '').filter((text) => !written.includes(text)),
  ];
  const missing = (step.contains ?? []).filter((word) => !text.includes(word));
  if (found.length + missing.length > 0) expect({ found, missing, all }).toEqual({ found: [], missing: [], all });
}

/** Ids that the server made, also that of the trace, may hold a short word by chance. */
function withoutId(text: string, id = ''): string {
  const known = text.replace(/desc=\\"[0-9a-f]{32}\\"/, '');
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id) ? known.replaceAll(id, '') : known;
}

/** Log events sent twice are duplicates the second time; raw requests may be anything. */
function isQuestion({ sql, lql, get }: AttackStep): boolean {
  return sql !== undefined || lql !== undefined || get !== undefined;
}

/** Two answers to one question differ in their request id only; the time of the run is no part of these answers. */
function withoutIds(text: string): string {
  return text.replace(/"request_id":"[^"]*"/, '');
}

/** The bound is a generous one: on a busy machine a probe may be late, but it never waits for the attack. */
const PROBE_BOUND_MS = 5000;
const PROBE_INTERVAL_MS = 200;

async function underProbes(ground: Ground, attack: () => Promise<void>): Promise<void> {
  let isOver = false;
  const probe = async (): Promise<void> => {
    while (!isOver) {
      const live = await fetch(`${ground.service.url}/health/live`, { signal: AbortSignal.timeout(PROBE_BOUND_MS) });
      expect(live.status).toBe(200);
      const ready = await fetch(`${ground.service.url}/health/ready`, { signal: AbortSignal.timeout(PROBE_BOUND_MS) });
      expect([200, 503]).toContain(ready.status);
      await sleep(PROBE_INTERVAL_MS);
    }
  };
  const probing = probe();
  await attack().finally(() => (isOver = true));
  await probing;
  await ground.runPlainQuery();
}

async function becomesReady(ground: Ground): Promise<boolean> {
  for (let attempt = 0; attempt < 30; attempt += 1) {
    if ((await fetch(`${ground.service.url}/health/ready`)).status === 200) return true;
    await sleep(200);
  }
  return false;
}

/** A query without a waiting caller does not go on. */
async function becomesQuiet(store: AttackedStore): Promise<boolean> {
  for (let attempt = 0; attempt < 60; attempt += 1) {
    if ((await store.countRunning()) === 0) return true;
    await sleep(250);
  }
  return false;
}
