/** Queries that arrive as JSON are stored as YAML: their text is the same when it is read again. */
import fc from 'fast-check';
import { parse } from 'yaml';
import { formatDefinition, patchDefinition } from '#server/catalog/saved-queries/definition-text';

const line = fc.constantFrom(
  'SELECT 1',
  '  -- x ',
  '\t',
  '',
  ' ',
  "'é\\n'",
  '# y',
  '---',
  '@p',
  'a: b',
  '\r',
  '\u0085',
  '"'
);
const query = fc
  .tuple(fc.array(line, { minLength: 1, maxLength: 8 }), fc.constantFrom('\n', '\r\n'))
  .map(([lines, end]) => lines.join(end));

it('a definition of JSON keeps the text of its query', () => {
  fc.assert(
    fc.property(query, (text) =>
      expect(parse(formatDefinition({ name: 'q', query: text }))).toMatchObject({ query: text })
    )
  );
});

it('a patch sets the text of the query as it is, and keeps that of other fields', () => {
  fc.assert(
    fc.property(query, query, (text, description) => {
      const stored = formatDefinition({ name: 'q', description, query: 'SELECT 0' });
      expect(parse(patchDefinition(stored, { query: text }))).toEqual({ name: 'q', description, query: text });
    })
  );
});
