/** PUT with `If-None-Match: *` under the id of a deleted saved query. */
import { createPlace, PROCESS_TOKEN, startService } from '../../support/servers/spawned';

const ID = '9d1a9fd0-0000-4000-8000-00000000000b';

it('a deleted saved query is created again by its id, as its next revision', async () => {
  const place = createPlace();
  const service = await startService(place);
  const send = async (method: string, headers: Record<string, string>, body?: string) => {
    const response = await fetch(`${service.url}/api/endpoints/${ID}`, {
      method,
      headers: {
        'X-API-KEY': PROCESS_TOKEN,
        ...(body === undefined ? {} : { 'Content-Type': 'application/yaml' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    return {
      status: response.status,
      etag: response.headers.get('etag'),
      body: text === '' ? null : (JSON.parse(text) as unknown),
    };
  };
  try {
    const absent = { 'If-None-Match': '*' };
    await send('PUT', absent, 'name: once\nquery: SELECT 1 AS n\n');
    await send('DELETE', { 'If-Match': '"1"' });
    const again = await send('PUT', absent, 'name: twice\nquery: SELECT 2 AS n\n');
    expect(again).toMatchObject({ status: 200, etag: '"3"', body: { result: { id: ID, name: 'twice', revision: 3 } } });
    expect((await send('PUT', absent, 'name: thrice\nquery: SELECT 3 AS n\n')).status).toBe(412);
  } finally {
    await service.stop();
    place.remove();
  }
});
