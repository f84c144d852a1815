/** A name that no field has, in a source without room for another field. */
import { savedQuerySchema } from '#contract/queries/saved-query';
import { ServiceError } from '#contract/errors';
import type { AdhocText } from '#contract/queries/query';
import type { CatalogField, CatalogRecord, CatalogSource } from '#compiler/catalog/catalog';
import { compile } from '#compiler/compile';

const definition = savedQuerySchema.parse({
  id: '11111111-1111-4111-8111-111111111111',
  name: 'case',
  sandbox: true,
  query: 'WITH logs AS (SELECT id, timestamp, event_message, metadata FROM events) SELECT id FROM logs',
});

const leaf: CatalogField = { kind: 'leaf', type: 'STRING', column: null };

function sourceThat(isFull: boolean): CatalogSource {
  const full = isFull ? ({ isFull: true } as const) : {};
  const request: CatalogRecord = {
    kind: 'record',
    presence: 'metadata.request',
    fields: new Map([['path', leaf]]),
    ...full,
  };
  const items: CatalogField = { kind: 'records', fields: new Map([['sku', leaf]]), ...full };
  const fields = new Map<string, CatalogField>([
    ['request', request],
    ['items', items],
  ]);
  return {
    name: 'events',
    aliases: [],
    columns: [
      { name: 'id', type: 'STRING' },
      { name: 'timestamp', type: 'TIMESTAMP' },
      { name: 'event_message', type: 'STRING' },
      { name: 'project', type: 'STRING' },
    ],
    metadata: { kind: 'record', presence: null, fields, ...full },
    metadataText: 'metadata_json',
    tenant: { column: 'project' },
    declaredFields: [],
    parts: [],
  };
}

/** @returns the error of a text, as its message and hint */
function failureOf(adhoc: AdhocText, isFull: boolean, tenant: string | null = null): readonly unknown[] {
  try {
    compile({
      definition,
      adhoc,
      parameters: {},
      catalog: { dialect: 'duckdb', sources: [sourceThat(isFull)] },
      nowMicros: 0,
      maxRows: 10,
      redaction: null,
      tenant,
    });
  } catch (error) {
    expect(error).toBeInstanceOf(ServiceError);
    const { message, details } = error as ServiceError;
    return [message, details.hint];
  }
  throw new Error('It compiles.');
}

const NO_ROOM = expect.stringContaining('their source has no room for another field');
const sql = (select: string, from = ''): AdhocText => ({
  language: 'sql',
  text: `select ${select} from logs as t cross join unnest(t.metadata) as m ${from}`,
});

it.each<readonly [string, AdhocText]>([
  ['of metadata', sql('m.zebra')],
  ['of a record', sql('m.request[0].zebra')],
  ['of an opened record', sql('r.zebra', 'cross join unnest(m.request) as r')],
  ['of an opened list', sql('i.zebra', 'cross join unnest(m.items) as i')],
  ['in LQL', { language: 'lql', text: 'f:logs m.zebra:x' }],
  ['of a record in LQL', { language: 'lql', text: 'f:logs m.request.zebra:x' }],
  ['of a list in LQL', { language: 'lql', text: 'f:logs m.items.zebra:x' }],
])('the error says so for a name %s, and only there', (_, text) => {
  for (const tenant of [null, 'acme']) {
    expect(failureOf(text, true, tenant)).toEqual([expect.stringContaining('unknown column "zebra"'), NO_ROOM]);
    expect(failureOf(text, false, tenant)[1]).not.toEqual(NO_ROOM);
  }
});

it('a name that is nearly that of a field gets that as its hint', () => {
  expect(failureOf(sql('m.request[0].pathh'), true)).toEqual([
    expect.stringContaining('did you mean "path"?'),
    undefined,
  ]);
  expect(failureOf({ language: 'lql', text: 'f:logs m.request.pathh:x' }, true)[1]).toBe('did you mean "path"?');
});
