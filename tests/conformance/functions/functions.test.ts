/**
 * Every function of the dialect, on every store: see tests/corpus/sql/functions/README.md. One statement evaluates
 * several expressions of a group; where it fails, and with `FUNCTION_CASES=alone`, each has a statement of its own.
 *
 * @slow 45
 */
import { ServiceError } from '#contract/errors';
import { functionNames } from '#compiler/functions/catalog';
import {
  evaluate,
  type Evaluated,
  evaluateTogether,
  expectedColumn,
  readFunctionCases,
  toComparable,
  type FunctionCase,
} from '../../support/cases/sql/functions';
import { differences, itOnStore } from '../../support/cases/known-differences';
import { openFixtureStore, readDefinition, runCase } from '../../support/cases/sql/queries';
import type { OpenStore } from '../../support/stores/current';

const files = readFunctionCases();

let fixture: OpenStore;

beforeAll(async () => {
  fixture = await openFixtureStore();
}, 60_000);

afterAll(() => fixture.close());

/** Expressions of one statement. */
const TOGETHER = process.env['FUNCTION_CASES'] === 'alone' ? 1 : 16;
/** By each of its cases; those whose outcome is an error, or is known to differ, have none. */
const batches = new Map<FunctionCase, Batch>();

interface Batch {
  readonly cases: readonly FunctionCase[];
  /** Undefined: the statement fails. */
  answers?: Promise<readonly Evaluated[] | undefined>;
}

for (const { file, groups } of files) {
  describe(file, () => {
    for (const group of groups) {
      addBatches(file, group.cases);
      for (const testCase of group.cases) {
        itOnStore(file, testCase.expression)(testCase.expression, () => check(testCase));
      }
    }
  });
}

describe('TO_JSON_STRING of a record', () => {
  it.each(['edge_requests', 'auth_service', 'database', 'function_relay', 'storage_service'])(
    'of %s is the text that the response shows of it',
    async (source) => {
      const testCase = { name: source, saved: true, parameters: {} };
      const sql = `select metadata, to_json_string(metadata) as text, to_json_string(m) as opened, m
        from \`${source}\` left join unnest(metadata) as m order by id`;
      const { bytes } = await runCase(fixture.store, readDefinition('logs.all'), { ...testCase, sql });
      const { result } = JSON.parse(Buffer.from(bytes).toString('utf8')) as {
        result: { metadata: unknown; text: string; opened: string; m: unknown }[];
      };
      expect(result.length).toBeGreaterThan(0);
      for (const { metadata, text, opened, m } of result) {
        expect(JSON.parse(text)).toEqual(metadata);
        expect(JSON.parse(opened)).toEqual(m);
      }
    }
  );
});

it('every name of the function registry has cases', () => {
  const text = files.flatMap(({ groups }) => groups.flatMap(({ cases }) => cases.map(({ expression }) => expression)));
  const all = text.join('\n').toUpperCase();
  const missing = functionNames().filter((name) => !new RegExp(`\\b${name}\\b`).test(all));
  expect(missing).toEqual([]);
});

function addBatches(file: string, all: readonly FunctionCase[]): void {
  const cases = all.filter(({ expected, expression }) => {
    const differs = differences.some((known) => known.file === file && known.case === expression);
    return expected.kind === 'values' && !differs;
  });
  for (let from = 0; from < cases.length; from += TOGETHER) {
    const batch: Batch = { cases: cases.slice(from, from + TOGETHER) };
    for (const one of batch.cases) batches.set(one, batch);
  }
}

async function answerOf(testCase: FunctionCase): Promise<Evaluated> {
  const batch = batches.get(testCase);
  if (batch === undefined || batch.cases.length === 1) return evaluate(fixture.store, testCase);
  batch.answers ??= evaluateTogether(fixture.store, batch.cases).catch((error: unknown) => {
    if (error instanceof ServiceError) return undefined;
    throw error;
  });
  return (await batch.answers)?.[batch.cases.indexOf(testCase)] ?? evaluate(fixture.store, testCase);
}

async function check(testCase: FunctionCase): Promise<void> {
  const { expected } = testCase;
  if (expected.kind === 'error') {
    const error = await evaluate(fixture.store, testCase).then(
      () => undefined,
      (thrown: unknown) => thrown
    );
    if (!(error instanceof ServiceError)) throw error ?? new Error('the query ran');
    const found = {
      reason: error.details.reason,
      message: error.message,
      hint: error.details.hint,
      column: expectedColumn(error.details.position),
    };
    expect(found).toMatchObject(expected.facts);
    return;
  }
  const { type, values } = await answerOf(testCase);
  const found = values.map((value) => toComparable(value, type));
  const inOrder = (rows: readonly unknown[]): readonly unknown[] =>
    testCase.order === undefined ? rows.toSorted(byText) : rows;
  expect({ type, values: inOrder(found) }).toEqual({ type: testCase.type ?? type, values: inOrder(expected.values) });
}

/** Without ORDER BY, rows come in any order. */
function byText(a: unknown, b: unknown): number {
  return String(JSON.stringify(a)).localeCompare(String(JSON.stringify(b)));
}
