/** Problems of a source name the field and its place in the text: a patch has no text that its sender knows. */
import type { ServiceError } from '#contract/errors';
import { patchSource, readSource } from '#server/catalog/sources/source-text';

const ID = '00000000-0000-4000-8000-000000000001';
const TEXT = 'name: app\ncolumns:\n  project: STRING # of the shop\n';

it.each<[object, (string | number)[], number]>([
  [{ retention_days: 0 }, ['retention_days'], 4],
  [{ columns: { timestamp: 'STRING' } }, ['columns', 'timestamp'], 4],
  [{ columns: { project: 'TEXT' } }, ['columns', 'project'], 3],
  [{ aliases: ['ok', '-'] }, ['aliases', 1], 6],
  [{ tenant: 'team' }, ['tenant'], 4],
])('the problem of the patch %j is at %j', (patch, path, line) => {
  const text = patchSource(TEXT, patch as Record<string, unknown>);
  let problems: unknown;
  try {
    readSource(text, ID);
  } catch (error) {
    ({ problems } = (error as ServiceError).details);
  }
  expect(problems).toEqual([{ path, position: expect.objectContaining({ line }), reason: expect.any(String) }]);
});
