import type { SavedQuery } from '#contract/queries/saved-query';
import { visibleEndpoint } from '#server/http/request/visible-endpoint';
import { createDefinitions } from '#server/catalog/definitions/definitions';
import { LOGS, OPEN_POLICY, USAGE } from '../../../support/servers/in-memory';

const principal = { tokenId: 'a', policy: { ...OPEN_POLICY, endpoints: [LOGS.name] }, untilMs: Infinity };

/** Refuses a name, and counts searches among former names, which take longer with each saved query. */
function refuse(name: string, renamedTo?: SavedQuery): { readonly error: unknown; readonly searches: number } {
  let searches = 0;
  const savedQueries = {
    renamedTo: () => {
      searches += 1;
      return renamedTo;
    },
  };
  const known = { definitions: createDefinitions([LOGS, USAGE]), savedQueries };
  try {
    // The rest of the real type belongs to changes.
    visibleEndpoint(known as unknown as Parameters<typeof visibleEndpoint>[0], principal, name);
    return { error: null, searches };
  } catch (error) {
    return { error, searches };
  }
}

it('a saved query that the token does not see is refused like an unknown one, with the same work', () => {
  const [hidden, unknown] = [refuse(USAGE.name), refuse('no.such-query')];
  expect(hidden).toEqual(unknown);
  expect(hidden).toMatchObject({ error: { code: 'endpoint_not_found', details: {} }, searches: 1 });
});

it('the new name is shown only where the name is unknown and the token sees its query', () => {
  expect(refuse('former', LOGS).error).toMatchObject({ details: { renamed_to: LOGS.name } });
  expect(refuse('former', USAGE).error).toMatchObject({ details: {} });
  expect(refuse(USAGE.name, LOGS).error).toMatchObject({ details: {} });
});

it.each(['logs', 'logs.all.otel'])('"%s" of other services is answered with the saved query to call here', (name) => {
  expect(refuse(name).error).toMatchObject({
    details: { hint: expect.stringContaining('call "logs.all"') as unknown },
  });
});

it.each([
  ['logs.al', 'did you mean "logs.all"?'],
  ['Logs_All', 'did you mean "logs.all"?'],
  ['usage.api_counts', undefined],
  ['something.else', undefined],
])('the name "%s" is answered with the nearest one that the token sees', (name, hint) => {
  const { details } = refuse(name).error as { readonly details: unknown };
  expect(details).toEqual(hint === undefined ? {} : { hint });
});
