/** Which failures to open the store with other sources are the fault of these sources, and which may pass. */
import { ServiceError } from '#contract/errors';
import { DefinitionsError } from '#server/catalog/definitions/definition-problem';
import { serveDefinitions } from '#server/catalog/definitions/serve-definitions';
import { createTestService, type TestService } from '../../../support/servers/in-memory';

let service: TestService;
beforeEach(() => (service = createTestService()));
afterEach(() => service.close());

function serve(): Promise<void> {
  const { engine, definitions, sources } = service.ctx;
  const set = { sources: { file: 'sources.yaml', text: 'sources:\n  - name: other\n' }, queries: [] };
  return serveDefinitions(set, { engine, definitions, sources, forget: () => undefined });
}

it.each([
  ['backend_unavailable', { reason: 'schema' }],
  ['definition_invalid', {}],
] as const)('sources that the store cannot be opened with are refused: %s %j', async (code, details) => {
  service.engine.reopen = () => Promise.reject(new ServiceError(code, 'no table', details));
  await expect(serve()).rejects.toThrow(DefinitionsError);
  expect(service.ctx.sources.all.map(({ name }) => name)).toEqual(['edge_requests']);
});

it.each([
  ['backend_unavailable', { reason: 'unreachable' }],
  ['backend_unavailable', {}],
  ['overloaded', { reason: 'busy' }],
] as const)('sources are not refused because the store is not available: %s %j', async (code, details) => {
  const failure = new ServiceError(code, 'ClickHouse does not answer', details);
  service.engine.reopen = () => Promise.reject(failure);
  await expect(serve()).rejects.toBe(failure);
  expect(service.ctx.sources.all.map(({ name }) => name)).toEqual(['edge_requests']);
});
