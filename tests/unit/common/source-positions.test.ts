import { SourceMap, type SourceMapPayload } from 'node:module';
import ts from 'typescript';
import { decodeSourceMap } from '#server/common/source-positions';

const TEXT = `
/** Removed from the code, so that lines move. */
interface Row { readonly name: string }
enum Level { Low = 1, High }
export class Rows<T extends Row> {
  private readonly rows: T[] = [];
  add(...given: readonly T[]): number { return this.rows.push(...given); }
  async *named(name?: string): AsyncGenerator<T> {
    for (const row of this.rows) if (row.name === (name ?? \`\${Level.High}\`)) yield row;
  }
}
`;

test('every position of the code has the source that it has for Node', () => {
  const { outputText, sourceMapText = '' } = ts.transpileModule(TEXT, {
    compilerOptions: { sourceMap: true, target: ts.ScriptTarget.ES5, downlevelIteration: true },
    fileName: 'rows.ts',
  });
  const map = JSON.parse(sourceMapText) as SourceMapPayload;
  const expected = new SourceMap(map);
  const positionOf = decodeSourceMap(map);
  const lines = outputText.split('\n');
  expect(lines.length).toBeGreaterThan(50);
  let found = 0;
  for (const [line, text] of lines.entries())
    for (let column = 0; column <= text.length; column += 1) {
      const entry = expected.findEntry(line, column);
      const position = positionOf(line, column);
      if (position !== null) found += 1;
      expect(position).toEqual(
        'originalSource' in entry
          ? { source: entry.originalSource, line: entry.originalLine, column: entry.originalColumn }
          : null
      );
    }
  expect(found).toBeGreaterThan(500);
});

test.each([
  ['a mapping without a source hides the one before it', 'AAAA,C', 0, 1, null],
  ['a difference may have many digits, and be below zero', 'AAggggC,gBAhgggC', 0, 16, 0],
  ['lines without mappings have the last one before them', 'AACA;;;', 3, 9, 1],
])('%s', (_title, mappings, line, column, expected) => {
  expect(decodeSourceMap({ sources: ['a.ts'], mappings })(line, column)?.line ?? null).toBe(expected);
});

test('a map without mappings has no positions', () => {
  expect(decodeSourceMap({ sources: [], mappings: '' })(0, 0)).toBeNull();
});
