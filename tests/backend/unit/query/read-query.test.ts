import { withDefaultProject } from '#backend/query/default-project';
import { parseQuery, readyQuery } from '#backend/query/read-query';
import { createTimeContext } from '#backend/query/time-context';
import { PluginError } from '#backend/service-client/failures/plugin-error';
import type { QueryAnswer } from '#backend/service-client/service-client';

const time = createTimeContext(0, 3_600_000, 60_000, 500);
const ANSWER = { arrow: new Uint8Array(0), truncated: false, redacted: false } as QueryAnswer;

test.each<[string, string | undefined, readonly string[], string | undefined]>([
  ['takes it', undefined, ['acorn'], undefined],
  ['ignores it', 'project', ['acorn'], undefined],
  ['ignores it and another', 'a, project', ['acorn'], 'a'],
  ['refuses it', 'refused', ['acorn', 'none'], undefined],
])('the default project of an endpoint that %s', async (_name, ignored, called, shown) => {
  const query = parseQuery(Buffer.from(JSON.stringify({ endpoint: { name: 'counts' }, params: { a: 'b' } })));
  const { call, hasDefaultProject } = readyQuery(query, { defaultProject: 'acorn' }, time, false);
  const projects: string[] = [];
  const answer = await withDefaultProject(call, async ({ params: { project, ...others } }) => {
    expect(others).toEqual({ a: 'b' });
    projects.push(project ?? 'none');
    if (project === undefined || ignored === undefined) return ANSWER;
    if (ignored === 'refused') throw new PluginError('parameter_unknown', 'No.', { status: 400 });
    return { ...ANSWER, ignoredParameters: ignored };
  });
  expect(hasDefaultProject).toBe(true);
  expect(projects).toEqual(called);
  expect(answer.ignoredParameters).toBe(shown);
});

test('a project of the query is not the default one', () => {
  const params = { project: 'own' };
  const query = parseQuery(Buffer.from(JSON.stringify({ endpoint: { name: 'counts' }, params })));
  const ready = readyQuery(query, { defaultProject: 'acorn' }, time, false);
  expect(ready).toMatchObject({ hasDefaultProject: false, call: { params } });
});

test.each([
  [undefined, 100_000],
  [50, 50],
  // The editor says that a higher number does not raise the limit of the endpoint.
  [200_000, 200_000],
])('the row limit %s of a query keeps at most %d rows', (maxRows, expected) => {
  const query = parseQuery(Buffer.from(JSON.stringify({ endpoint: { name: 'logs' }, maxRows })));
  expect(readyQuery(query, {}, time, false).maxRows).toBe(expected);
});
