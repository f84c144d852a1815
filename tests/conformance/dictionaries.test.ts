/**
 * Expressions are evaluated on the values of the rows that a query reads, also where a store has a dictionary of all
 * values.
 *
 * @slow 15
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { answer, openRepetitiveStores, ORACLES, type TenantStores } from '../support/stores/tenants';

const texts = parse(readFileSync(join(__dirname, '../corpus/tenants/dictionaries.yaml'), 'utf8')) as string[];

let stores: TenantStores;
beforeAll(async () => (stores = await openRepetitiveStores()), 180_000);
afterAll(() => stores.close());

describe.each([
  ['as it is', false],
  ['redacted', true],
])('%s', (_, redact) => {
  it.each(texts)('no expression is evaluated on a value of another tenant: %s', async (text) => {
    const asked = { adhoc: { language: 'sql', text }, redact } as const;
    const [own, shared] = await Promise.all([
      answer(stores.own, ORACLES, asked),
      answer(stores.shared, ORACLES, asked),
    ]);
    expect(own).toHaveProperty('body');
    expect(shared).toEqual(own);
  });
});
