import { savedQuerySchema } from '#contract/queries/saved-query';
import { createOpenApiDocument, type DescribedQuery, openApiParts } from '#server/http/openapi/open-api-document';

const query = (n: number): DescribedQuery => ({
  definition: savedQuerySchema.parse({
    id: `7d1a9fd0-0000-4000-8000-${String(n).padStart(12, '0')}`,
    name: `query-${n}`,
    query: 'select 1 as x',
    description: 'With "quotes".',
  }),
  description: null,
});

it.each([0, 1, 300])('the parts of the document with %d saved queries are its text', (count) => {
  const queries = Array.from({ length: count }, (_, n) => query(n));
  const parts = [...openApiParts(queries)];
  expect(parts).toHaveLength(count + 2);
  expect(JSON.parse(parts.join(''))).toEqual(
    JSON.parse(JSON.stringify(createOpenApiDocument(queries, { withService: true })))
  );
});
