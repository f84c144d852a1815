/**
 * Grafana's packages come from the host: an import that Grafana 10.1.5 lacks is undefined there, and breaks the page
 * that shows it.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { parse } from 'yaml';

const ROOT = path.join(__dirname, '..');
const OLDEST = 'tests/corpus/grafana/exports-10.1.5.yaml';

/** Used where they are defined only. */
const GUARDED = new Set(['@grafana/ui Combobox']);

const handed = Object.fromEntries(
  Object.entries(parse(readFileSync(path.join(ROOT, OLDEST), 'utf8')) as Record<string, string>).map(
    ([name, symbols]) => [name, new Set(symbols.split(/\s+/))]
  )
);

const sources = (readdirSync(__dirname, { recursive: true }) as string[]).filter(
  (file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|__mocks__/.test(file)
);

test.each(sources)('%s imports only what the oldest host has', (file) => {
  expect(importsOf(file).filter(({ name, symbol }) => !isHanded(name, symbol))).toEqual([]);
});

test('something is imported, and something would be missing', () => {
  expect(sources.flatMap(importsOf).length).toBeGreaterThan(50);
  expect(isHanded('@grafana/ui', 'Stack')).toBe(false);
});

function isHanded(name: string, symbol: string): boolean {
  return handed[name]?.has(symbol) === true || GUARDED.has(`${name} ${symbol}`);
}

/** Values from outside our own sources; types do not exist when the code runs. */
function importsOf(file: string): Array<{ name: string; symbol: string }> {
  const source = ts.createSourceFile(file, readFileSync(path.join(__dirname, file), 'utf8'), ts.ScriptTarget.Latest);
  return source.statements.filter(ts.isImportDeclaration).flatMap(({ moduleSpecifier, importClause }) => {
    const name = (moduleSpecifier as ts.StringLiteral).text;
    if (/^[.#]/.test(name) || !importClause || importClause.phaseModifier) return [];
    const bindings = importClause.namedBindings;
    const named = bindings && ts.isNamedImports(bindings) ? bindings.elements.filter((each) => !each.isTypeOnly) : [];
    // The default of React is the module itself on every host.
    const whole = importClause.name && name !== 'react' ? ['default'] : [];
    const star = bindings && ts.isNamespaceImport(bindings) ? ['*'] : [];
    return [...named.map((each) => (each.propertyName ?? each.name).text), ...whole, ...star].map((symbol) => ({
      name,
      symbol,
    }));
  });
}
