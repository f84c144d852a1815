/** Changes whose answer is lost: the server may have made them. */
import { isLocal, type LocalDefinition, readLocal } from '#server/cli/endpoints/definition/local-definition';
import { carryOut } from '#server/cli/endpoints/plan/carry-out';
import { createRemoteQueries } from '#server/cli/endpoints/remote/remote-queries';
import type { Terminal } from '#server/cli/output/terminal';
import { type ManagementClient, ManagementError, type ManagementRequest } from '#server/cli/remote/management-client';

const ID = '00000000-0000-4000-9000-000000000001';
const TEXT = `id: ${ID}\nname: one\nquery: SELECT 1 AS n\n`;
const CONFLICT = new ManagementError('It exists already.', {
  status: 412,
  code: 'revision_conflict',
  details: { revision: 3 },
});

function remoteOf(answer: (request: ManagementRequest) => unknown) {
  const client: ManagementClient = {
    send: async (request) => ({ status: 200, headers: new Headers(), body: await answer(request) }),
  };
  return createRemoteQueries(client);
}

const revisionOf = (yaml: string): unknown => ({
  result: {
    ...{ id: ID, revision: 3, name: 'one', action: 'create', by: { command_line: true } },
    ...{ time: '2026-03-01T00:00:00.000Z', message: null, changed: [], definition: null, yaml },
  },
});

it.each([
  ['the same text is the earlier attempt, which has succeeded', TEXT, { revision: 3 }],
  ['another text is a change of another request', `${TEXT}# other\n`, CONFLICT],
])('a saved query with an id that exists when its creation is repeated: %s', async (_case, stored, outcome) => {
  const remote = remoteOf(({ method }) => {
    if (method === 'PUT') throw CONFLICT;
    return revisionOf(stored);
  });
  const created = await remote.create(TEXT, undefined).catch((error: unknown) => error);
  expect(created).toMatchObject(outcome);
});

it('a saved query that a repeated request no longer finds is deleted', async () => {
  const remote = remoteOf(() => {
    throw new ManagementError('There is no saved query.', { status: 404, code: 'endpoint_not_found' });
  });
  await expect(remote.remove(ID, 1, undefined)).resolves.toBeUndefined();
});

it.each([
  [null, 'This change may have been made; 0 of 1 were made before it.'],
  [504, 'This change may have been made; 0 of 1 were made before it.'],
  [403, 'Nothing was changed.'],
])('apply that ends with the status %p says what is known: %s', async (status, expected) => {
  const remote = remoteOf(() => {
    throw new ManagementError('It failed.', { status });
  });
  const local = readLocal({ file: 'one.yaml', text: TEXT });
  if (!isLocal(local)) throw new Error(JSON.stringify(local));
  await expect(carry(local, remote)).rejects.toThrow(expected);
});

function carry(local: LocalDefinition, remote: ReturnType<typeof remoteOf>): Promise<void> {
  const terminal = { print: () => undefined } as unknown as Terminal;
  return carryOut([{ kind: 'create', local }], remote, { terminal, message: undefined });
}
