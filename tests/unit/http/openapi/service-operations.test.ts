import { servicePaths } from '#server/http/openapi/service-operations';

interface Operation {
  readonly responses: Readonly<Record<string, unknown>>;
}

it('only operations of GET may answer that nothing has changed', () => {
  const operations = Object.values(servicePaths()).flatMap((path) => Object.entries(path as Record<string, Operation>));
  const methods = operations.filter(([, { responses }]) => '304' in responses).map(([method]) => method);
  expect(methods.length).toBeGreaterThanOrEqual(2);
  expect(new Set(methods)).toEqual(new Set(['get']));
});
