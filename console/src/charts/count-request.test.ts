/** Counts of a whole time range: the first answer that the service accepts and does not cut off. */
import { Problem } from '../api/problem';
import type { RunRequest, RunResult } from '../api/run-query';
import { countRequests, firstWhole } from './count-request';

const REQUEST: RunRequest = { query: 'q', parameters: {}, adhoc: { language: 'sql', text: 'select * from t limit 5' } };
const COLUMNS = [
  { name: 'timestamp', type: 'TIMESTAMP' },
  { name: 'level', type: 'STRING' },
];
const textsOf = (requests: readonly RunRequest[]): readonly string[] => requests.map(({ adhoc }) => adhoc?.text ?? '');

test('statuses with one first digit are one level, and the next call has no levels', () => {
  const [byLevel, plain, ...others] = textsOf(countRequests(REQUEST, null, COLUMNS, 60));
  expect(byLevel).toContain(String.raw`regexp_replace(level, r'^([1-5])[0-9][0-9]$', r'\100')`);
  expect(byLevel).toContain('group by time, level');
  expect(plain).toContain('count(*) as count');
  expect(plain).not.toContain('level');
  expect(others).toEqual([]);
});

test('a text in LQL without a level is counted by one call', () => {
  const adhoc = { language: 'lql', text: 'error' } as const;
  expect(textsOf(countRequests({ ...REQUEST, adhoc }, null, COLUMNS, 60))).toEqual([
    'error c:count(*) c:group_by(t::60s)',
  ]);
});

const answer = (isCut: boolean): RunResult => ({ isCut }) as RunResult;
const refused = (status: number): Problem => new Problem(status, { code: 'code', message: 'No.' });

test.each<[string, ReadonlyArray<RunResult | Problem>, RunResult | null]>([
  ['whole', [answer(false), answer(true)], answer(false)],
  ['cut off', [answer(true), answer(false)], answer(false)],
  ['refused', [refused(400), answer(false)], answer(false)],
  ['neither', [refused(400), answer(true)], null],
])('an answer that is %s', async (_, answers, expected) => {
  const left = [...answers];
  const run = (): Promise<RunResult> => {
    const next = left.shift()!;
    return next instanceof Problem ? Promise.reject(next) : Promise.resolve(next);
  };
  expect(await firstWhole([REQUEST, REQUEST], run)).toEqual(expected);
});

test('a service that cannot answer is not asked again', async () => {
  const run = jest.fn(() => Promise.reject(refused(503)));
  await expect(firstWhole([REQUEST, REQUEST], run)).rejects.toThrow('No.');
  expect(run).toHaveBeenCalledTimes(1);
});
