/** The cases of tests/corpus/sql on the reference and on the stores: see README.md. */
import { readFunctionCases } from '../support/cases/sql/functions';
import { readQueryCases } from '../support/cases/sql/queries';
import { DEVIATIONS } from './support/deviations';
import { Sides, type Text } from './support/sides';
import { Tally } from './support/tally';

let sides: Sides;
beforeAll(async () => {
  sides = await Sides.open();
}, 120_000);
afterAll(() => sides.close());

/** Gives other rows at each run, or with each clock. */
const IS_UNSTABLE = /\bcurrent_|\brand\(|generate_uuid/i;

const functions = readFunctionCases().map(({ file, groups }) => ({
  file: `functions/${file}`,
  texts: groups.flatMap(({ cases }) =>
    cases.map(({ expression, from, order, parameters }): Text => {
      const tail = `${from === undefined ? '' : ` from ${from}`}${order === undefined ? '' : ` order by ${order}`}`;
      return { sql: `select ${expression} as v${tail}`, parameters };
    })
  ),
}));
const queries = readQueryCases().map(({ file, cases }) => ({
  file: `queries/${file}`,
  texts: cases.map(({ sql, saved, parameters }): Text =>
    saved === true || parameters !== undefined ? { sql, parameters: parameters ?? {} } : { sql }
  ),
}));

test.each([...functions, ...queries])(
  '$file gives what the reference gives',
  async ({ file, texts }) => {
    const tally = new Tally(file);
    for (const text of texts) if (!IS_UNSTABLE.test(text.sql)) tally.add(text.sql, await sides.compare(text));
    tally.report();
    expect(tally.differences).toEqual([]);
  },
  600_000
);

test.each(DEVIATIONS)('still deviates: $reason', async ({ verdict, store, examples }) => {
  for (const sql of examples) {
    const comparisons = await sides.compare({ sql, parameters: {} });
    const verdicts = comparisons.filter((each) => (store ?? each.store) === each.store).map((each) => each.verdict);
    // `--stores` may leave out the one that deviates.
    const wanted = store === undefined || comparisons.some((each) => each.store === store) ? [verdict] : [];
    expect({ sql, verdicts: new Set(verdicts) }).toEqual({ sql, verdicts: new Set(wanted) });
  }
});
