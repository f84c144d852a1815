/**
 * Every expression of the function cases, with columns for its constants, in HAVING, QUALIFY, ORDER BY, ON and
 * subqueries: it runs, or is refused with a position. Two expressions of each group, which share the places inside of a
 * subquery between them; `FUNCTION_PLACES=all` for every expression in every place.
 *
 * @slow 40
 */
import { ServiceError } from '#contract/errors';
import { type FunctionCase, readFunctionCases } from '../../support/cases/sql/functions';
import { placedCase, type PlacedCase } from '../../support/cases/sql/placed';
import { openFixtureStore, readDefinition, runCase } from '../../support/cases/sql/queries';
import type { OpenStore } from '../../support/stores/current';

const definition = readDefinition('logs.all');
let fixture: OpenStore;

beforeAll(async () => {
  fixture = await openFixtureStore();
}, 60_000);

afterAll(() => fixture.close());

const areAllWanted = process.env['FUNCTION_PLACES'] === 'all';
const PER_GROUP = 2;

/** The cases of one function that can be placed, or some of them. */
function placedCases(cases: readonly FunctionCase[]): readonly PlacedCase[] {
  const able = cases.filter((each) => placedCase(each) !== undefined);
  const chosen = areAllWanted ? able : able.slice(0, PER_GROUP);
  return chosen.flatMap(
    (each, turn) => (areAllWanted ? placedCase(each) : placedCase(each, { turn, turns: chosen.length })) ?? []
  );
}

it.each(readFunctionCases().map(({ file, groups }) => [file, groups] as const))(
  'every expression of %s runs in every clause, or is refused with a position',
  async (_file, groups) => {
    const placed = groups.flatMap(({ cases }) => placedCases(cases));
    expect(placed.length).toBeGreaterThan(0);
    const broken = [];
    for (const one of placed) broken.push(...(await brokenPlaces(one)));
    expect(broken).toEqual([]);
  },
  300_000
);

/** Statements that fail although the expression alone has a value, or with anything but a reason for the caller. */
async function brokenPlaces({ plain, placed }: PlacedCase): Promise<readonly string[]> {
  const broken = [];
  let alone: ServiceError | undefined;
  for (const sql of placed) {
    const failure = await failureOf(sql);
    if (failure === undefined || failure.details.position !== undefined) continue;
    alone ??= await failureOf(plain);
    if (failure.code === alone?.code) continue;
    broken.push(`${failure.code} ${String(failure.details.reason)}: ${sql}`);
  }
  return broken;
}

async function failureOf(sql: string): Promise<ServiceError | undefined> {
  try {
    await runCase(fixture.store, definition, { name: sql, sql, saved: true, parameters: {} });
    return undefined;
  } catch (thrown) {
    if (thrown instanceof ServiceError) return thrown;
    throw thrown;
  }
}
