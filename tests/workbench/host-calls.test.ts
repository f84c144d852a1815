/** host-calls.md is complete: each row of ours has a test, and each member of the host's types has a row. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { drivenRows, hostCalls } from './host-calls';

const TYPES = path.resolve(__dirname, '..', '..', 'node_modules', '@grafana', 'data', 'dist', 'types', 'types');
/** Where the host's types say what a data source may have, and how its rows begin. */
const DECLARED: ReadonlyArray<readonly [file: string, declaration: RegExp, prefix: string]> = [
  ['datasource.d.ts', /^DataSourceApi$/, ''],
  ['datasource.d.ts', /^DataSourcePluginComponents$/, 'components.'],
  ['logs.d.ts', /^DataSourceWith/, ''],
  ['query.d.ts', /^DataSourceWith/, ''],
  ['annotations.d.ts', /^AnnotationSupport$/, 'annotations.'],
  ['variables.d.ts', /VariableSupport(Base)?$/, 'variables.'],
];
/** Places of other rows. */
const PLACES = new Set(['components', 'annotations', 'variables']);

const rows = hostCalls();

test('no row of host-calls.md is there twice', () => {
  expect(rows.map(({ name }) => name)).toEqual([...new Set(rows.map(({ name }) => name))]);
});

test.each(rows.filter(({ isOurs }) => isOurs))('$name in host-calls.md has a test', ({ name }) => {
  expect([...drivenRows()]).toContain(name);
});

test.each(DECLARED)('each member in %s of %s has a row in host-calls.md', (file, declaration, prefix) => {
  const members = membersOf(path.join(TYPES, file), declaration).filter((name) => !PLACES.has(name));
  expect(members.length).toBeGreaterThan(0);
  expect(members.map((name) => `${prefix}${name}`).filter((name) => !rows.some((row) => row.name === name))).toEqual(
    []
  );
});

function membersOf(file: string, declaration: RegExp): string[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest);
  return source.statements
    .filter((each) => ts.isClassDeclaration(each) || ts.isInterfaceDeclaration(each))
    .filter(({ name }) => name !== undefined && declaration.test(name.text))
    .flatMap(({ members }) => [...members])
    .flatMap(({ name }) => (name && ts.isIdentifier(name) ? [name.text] : []));
}
