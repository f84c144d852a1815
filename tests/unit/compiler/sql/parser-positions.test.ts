/** Every node knows the text it was read from. */
import { parseStatement } from '#compiler/sql/parser/query/parse-statement';
import { ACCEPTED, CANONICAL } from '../../../support/cases/sql/parser';

const TEXTS = [...ACCEPTED.map(([, text]) => text), ...CANONICAL.map(([text]) => text)];

test.each(TEXTS)('%s: the positions of names, parameters and literals point to them', (text) => {
  for (const { node, source } of nodesOf(text)) {
    if (isIdentifier(node)) expect(source.replace(/^`|`$/g, '').toLowerCase()).toBe(node.name.toLowerCase());
    if (node.kind === 'parameter') expect(source).toBe(`@${String(node.name)}`);
    if (node.kind === 'path') expect(source).toMatch(/^[\w`]/);
    if (node.kind === 'literal')
      expect(source).toMatch(
        /^(?:(?:[rR]|[bB]|[rR][bB]|[bB][rR])?['"].*['"]|[\d.][\dxXa-fA-F.+-]*|true|false|null)$/is
      );
  }
});

test.each(TEXTS)('%s: no node ends inside parentheses that it opens', (text) => {
  for (const { source } of nodesOf(text)) {
    const code = source.replace(/'''.*?'''|'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|--.*|\/\*.*?\*\//g, '');
    expect(code.split('(').length).toBe(code.split(')').length);
  }
});

test('lines and columns are those of the first character', () => {
  const { body } = parseStatement('select\r\n\tfoo,\n  (a\n + b)');
  const positions = body.kind === 'select' ? body.items.map(({ position: { line, column } }) => [line, column]) : [];
  expect(positions).toEqual([
    [2, 2],
    [3, 3],
  ]);
});

interface Placed {
  readonly position: { readonly offset: number; readonly end: number };
  readonly [key: string]: unknown;
}

function nodesOf(text: string): { node: Placed; source: string }[] {
  const found: { node: Placed; source: string }[] = [];
  JSON.stringify(parseStatement(text), (_key, value: unknown) => {
    if (isPlaced(value)) found.push({ node: value, source: text.slice(value.position.offset, value.position.end) });
    return value;
  });
  return found;
}

function isPlaced(value: unknown): value is Placed {
  return typeof value === 'object' && value !== null && 'position' in value;
}

function isIdentifier(node: Placed): node is Placed & { readonly name: string } {
  return 'quoted' in node && typeof node.name === 'string';
}
