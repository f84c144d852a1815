import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { sourceSchema } from '#contract/events/source';
import { parameterSchema, savedQuerySchema } from '#contract/queries/saved-query';
import { checkDefinition } from '#server/catalog/definitions/check-definition';
import { checkSource } from '#server/catalog/definitions/check-source';
import { loadSources, parseSources } from '#server/catalog/definitions/load-sources';

const ROOT = join(__dirname, '../..');
const doc = (name: string): string => readFileSync(join(ROOT, 'docs', name), 'utf8');

/** Names and defaults of the tables of a text: `| `a`, `b` | default | meaning |`. */
function tablesOf(text: string): ReadonlyArray<ReadonlyMap<string, string>> {
  const tables: Map<string, string>[] = [];
  for (const line of text.split('\n')) {
    if (/^\| (Field|Key) +\| Default/.test(line)) tables.push(new Map());
    const [, names, preset] = /^\| (`[^|]*`) +\|([^|]*)\|/.exec(line) ?? [];
    for (const [, name] of names?.matchAll(/`(\w+)`/g) ?? []) tables.at(-1)?.set(name!, preset!.trim());
  }
  return tables;
}

const presetOf = (schema: { safeParse: (value: unknown) => { data?: unknown } }): unknown =>
  schema.safeParse(undefined).data;

function expectTable(
  table: ReadonlyMap<string, string>,
  shape: Readonly<Record<string, { safeParse: (value: unknown) => { data?: unknown } }>>
): void {
  expect([...table.keys()].sort()).toEqual(Object.keys(shape).sort());
  for (const [name, schema] of Object.entries(shape)) {
    const preset = presetOf(schema);
    if (typeof preset === 'number' || typeof preset === 'boolean' || typeof preset === 'string' || preset === null)
      expect([name, table.get(name)!.replaceAll('`', '')]).toEqual([name, preset === '' ? 'empty' : String(preset)]);
  }
}

/** Blocks of YAML, also within lists. */
function blocksOf(text: string): readonly string[] {
  return [...text.matchAll(/^( *)```yaml\n([^]*?)\n *```/gm)].map(([, indent, block]) =>
    block!.replace(new RegExp(`^${indent}`, 'gm'), '')
  );
}

test('docs/saved-queries.md has each field of a definition and of a parameter, with its default', () => {
  const [, fields = ''] = /<!-- fields -->([^]*)<!-- \/fields -->/.exec(doc('saved-queries.md')) ?? [];
  const [definition, parameter] = tablesOf(fields);
  expectTable(definition!, savedQuerySchema.shape);
  expectTable(parameter!, parameterSchema.shape);
});

describe('docs/sources.md', () => {
  const text = doc('sources.md');
  const [query, shared, inFile] = blocksOf(text);
  const [, created] = /-d '(\{\n[^']*"definition"[^']*)'/.exec(text) ?? [];

  test('has each key of a source, with its default', () => {
    expectTable(tablesOf(text)[0]!, sourceSchema.shape);
  });

  test('creates a source over HTTP that is that of the file', () => {
    const { definition } = JSON.parse(created!) as { readonly definition: unknown };
    expect([checkSource(definition).source]).toEqual(parseSources('sources.yaml', `sources:\n${inFile!}`));
  });

  test.each([inFile, shared])('declares sources that fit below the others', (block) => {
    const file = join(ROOT, 'sources.yaml');
    const sources = parseSources('sources.yaml', `${readFileSync(file, 'utf8')}${block}\n`);
    expect(sources.map(({ name }) => name)).toEqual([...loadSources(file).map(({ name }) => name), 'app']);
  });

  test('has a saved query that is valid', () => {
    expect(checkDefinition({ id: '15fc1d09-9e20-4e0f-9665-27dfe9e89c5e', ...parse(query!) }).problems).toEqual([]);
  });
});
