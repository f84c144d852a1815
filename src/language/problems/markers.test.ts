import { markersOf } from './markers';

const refused = (line: number, column: number) =>
  ({
    valid: false,
    error: { code: 'query_invalid', message: 'no such column', hint: 'did you mean id?', position: { line, column } },
  }) as const;

test('a problem underlines the word at its place', () => {
  expect(markersOf('select 1,\n  ids from edge_logs', refused(2, 3))).toEqual([
    {
      severity: 'error',
      message: 'No such column. Did you mean id?',
      startLineNumber: 2,
      endLineNumber: 2,
      startColumn: 3,
      endColumn: 6,
    },
  ]);
});

test('at the end of the text there is one column to underline', () => {
  expect(markersOf('select', refused(1, 7))).toMatchObject([{ startColumn: 7, endColumn: 8 }]);
});

test('a line with variables or macros is underlined whole', () => {
  expect(markersOf('where a = $a and ids', refused(1, 30))).toMatchObject([{ startColumn: 1, endColumn: 21 }]);
});

test('a place beyond the text is on its last line', () => {
  expect(markersOf('a\nb', refused(9, 1))).toMatchObject([{ startLineNumber: 2 }]);
});

test('warnings of a good text are underlined as long as they are', () => {
  const warning = {
    code: 'select_ignored',
    message: 'Not used.',
    position: { line: 1, column: 4 },
    offset: 3,
    length: 5,
  } as const;
  const result = { canonical: '', fields: [], parameters: [], tables: [], warnings: [warning] };
  expect(markersOf('c: s:idxx', { valid: true, result })).toMatchObject([
    { severity: 'warning', startColumn: 4, endColumn: 9 },
  ]);
  expect(markersOf('x', { valid: true, result: { ...result, warnings: undefined } })).toEqual([]);
});
