/** Texts and merges of definitions. */
import fc from 'fast-check';
import { problemsIn } from '../api/changes';
import { Problem } from '../api/problem';
import { diffRows } from '../diff/diff-rows';
import { newText, readText, writeField } from './definition-text';
import { changedFields, joinParts, mergedText, queryParts } from './merge-definitions';

const TEXT = `# first
name: a.b # the name
query: |
  select 1
  from t
parameters:
  - name: project # whose
    values: { query: x }
max_rows: 5
`;

test('a change of one field leaves all else as it was', () => {
  expect(writeField(TEXT, ['max_rows'], 6)).toBe(TEXT.replace('5', '6'));
  expect(writeField(TEXT, ['max_rows'], undefined)).toBe(TEXT.replace('max_rows: 5\n', ''));
  expect(writeField(TEXT, ['parameters', 0, 'name'], 'p')).toBe(TEXT.replace('project', 'p'));
  expect(writeField('', ['name'], 'x')).toBe('name: x\n');
});

test('any text comes back as it was written', () => {
  const text = fc.string({ unit: 'binary' }).filter((each) => each.isWellFormed());
  const written = fc.oneof(
    text,
    fc.array(fc.constantFrom('a', ' ', '\n', '\t', '#', ':', '- ', '"', '\r')).map((all) => all.join(''))
  );
  fc.assert(
    fc.property(written, (query) => {
      const { fields } = readText(writeField(TEXT, ['query'], query));
      expect(fields).toEqual({ ...readText(TEXT).fields, query });
      expect(readText(writeField(TEXT, ['name'], query)).fields).toEqual({ ...readText(TEXT).fields, name: query });
      expect(readText(newText({ name: 'x', query })).fields).toEqual({ name: 'x', query });
    })
  );
});

test.each([
  ['a: &a [x]\nb: *a', /alias/i],
  ['name: [', /./],
  ['- a', /mapping/],
  [`x: ${'y'.repeat(300_000)}`, /262,144/],
  [`x: [${'y, '.repeat(20_001)}]`, /too many/],
])('a text that cannot be read has a reason (%#)', (text, reason) => {
  expect(readText(text).fields).toBeNull();
  expect(readText(text).problem).toMatch(reason);
});

const merged = (base: string, mine: string, theirs: string, sides: Record<string, 'mine' | 'theirs'> = {}): unknown => {
  const read = (text: string) => readText(text).fields ?? {};
  const fields = changedFields(read(base), read(mine), read(theirs));
  const query = fields.find(({ name, outcome }) => name === 'query' && outcome === 'conflict');
  const parts = query ? queryParts(query) : null;
  return readText(mergedText({ base, mine, theirs }, fields, sides, parts && joinParts(parts, { 1: 'both' }))).fields;
};

test('what one side changed is taken from it, parameter by parameter', () => {
  const mine = TEXT.replace('5', '6').replace('- name: project', '- name: mine\n  - name: project');
  const theirs = TEXT.replace('a.b', 'c.d').replace('values: { query: x }', 'required: true');
  expect(merged(TEXT, mine, theirs)).toEqual({
    name: 'c.d',
    query: 'select 1\nfrom t\n',
    parameters: [{ name: 'project', required: true }, { name: 'mine' }],
    max_rows: 6,
  });
});

test('a field that both changed is taken from the chosen side', () => {
  const [mine, theirs] = [TEXT.replace('5', '6'), TEXT.replace('5', '7')];
  expect(merged(TEXT, mine, theirs, { max_rows: 'mine' })).toMatchObject({ max_rows: 6 });
  expect(merged(TEXT, mine, theirs, { max_rows: 'theirs' })).toMatchObject({ max_rows: 7 });
});

test('lines of the query that both changed can both be taken', () => {
  const [mine, theirs] = [TEXT.replace('from t', 'from m'), TEXT.replace('from t', 'from n')];
  expect(merged(TEXT, mine, theirs)).toMatchObject({ query: 'select 1\nfrom n\nfrom m\n' });
});

test('a merge with an unchanged side is the other side', () => {
  const change = fc.record({
    rows: fc.integer({ min: 1, max: 9 }),
    line: fc.constantFrom('from t', 'from u\nwhere x'),
    at: fc.boolean(),
  });
  const apply = ({ rows, line, at }: { rows: number; line: string; at: boolean }): string =>
    writeField(TEXT.replace('5', String(rows)), at ? ['query'] : ['description'], `select 1\n${line}\n`);
  fc.assert(
    fc.property(change, (given) => {
      const changed = apply(given);
      expect(merged(TEXT, changed, TEXT)).toEqual(readText(changed).fields);
      expect(merged(TEXT, TEXT, changed)).toEqual(readText(changed).fields);
      expect(merged(TEXT, changed, changed)).toEqual(readText(changed).fields);
    })
  );
});

test('a diff has both texts, marks words, and leaves long equal stretches out', () => {
  const lines = Array.from({ length: 40 }, (_, n) => `line ${n}`);
  const rows = diffRows(lines.join('\n'), lines.join('\n').replace('line 20', 'line twenty'));
  expect(rows.filter(({ kind }) => kind === 'gap').map(({ skipped }) => skipped)).toEqual([17, 16]);
  const [removed, added] = rows.filter(({ kind }) => kind === 'removed' || kind === 'added');
  expect(removed?.words.filter(({ kind }) => kind !== 'same').map(({ line }) => line)).toEqual(['20']);
  expect(added?.words.filter(({ kind }) => kind !== 'same').map(({ line }) => line)).toEqual(['twenty']);
});

test('reasons of the service are shown without their path', () => {
  const problems = [
    { path: ['max_rows'], reason: 'max_rows: must be a number, not a text' },
    { path: ['parameters', 0, 'name'], reason: '"sql" is reserved for ad-hoc queries' },
    { path: ['parameters', 0, 'enum'], reason: 'parameters[0].enum: must have at least 1 item' },
  ];
  const refused = new Problem(422, {
    code: 'definition_invalid',
    message: 'The definition is not valid.',
    details: { problems },
  });
  expect(problemsIn(refused)?.map(({ message }) => message)).toEqual([
    'must be a number, not a text',
    '"sql" is reserved for ad-hoc queries',
    'must have at least 1 item',
  ]);
  expect(problemsIn(new Problem(403, { code: 'scope_missing', message: '' }))).toBeNull();
});
