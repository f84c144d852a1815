/** Statements of a folder given with `--texts`: see README.md. They are counted; only internal errors fail. */
import { readPublicTexts } from './support/public-texts';
import { Sides } from './support/sides';
import { Tally } from './support/tally';

const FOLDER = process.env['LQE_REFERENCE_TEXTS'];
/** Depend on the clock or on chance, or take seconds. */
const IS_UNSTABLE = /\bcurrent_|\brand\b|generate_uuid|session_user|tablesample|sleep|repeat\([^)]*\d{6}/i;
const TOLERANCE = 1e-12;

let sides: Sides;
beforeAll(async () => {
  sides = await Sides.open();
}, 120_000);
afterAll(() => sides.close());

const sets = FOLDER === undefined ? [] : ['compliance', 'documents'];
const files = FOLDER === undefined ? [] : readPublicTexts(FOLDER);

(sets.length === 0 ? test.skip : test).each(sets.length === 0 ? ['--texts'] : sets)(
  '%s: no text makes an internal error',
  async (set) => {
    const tally = new Tally(set);
    for (const sql of files.filter(({ kind }) => kind === set).flatMap(({ texts }) => texts))
      if (!IS_UNSTABLE.test(sql))
        tally.add(sql, await sides.compare({ sql, parameters: {} }, { tolerance: TOLERANCE }));
    tally.report();
    expect(tally.differences.filter((line) => line.includes('internal error'))).toEqual([]);
  },
  7_200_000
);
