/** Loads the sources that `sources.yaml` declares: each is checked by itself and against the others. */
import { isUtf8 } from 'node:buffer';
import { readFileSync, statSync } from 'node:fs';
import { type Source, sourceSchema, sourcesSchema, tenantPlaceOf } from '#contract/events/source';
import { didYouMean } from '#contract/nearest-name';
import { type DefinitionProblem, DefinitionsError } from './definition-problem';
import { readYaml } from './yaml-file';
import { errorCode } from '../../common/caught-error';
import { issueReason } from '../../common/issue-reason';

interface SourceProblem {
  readonly path: readonly PropertyKey[];
  /** Set when the problem is a key of the mapping at `path`, not its value. */
  readonly key?: string;
  readonly reason: string;
}

const MAX_FILE_BYTES = 1024 * 1024;

/** Names with a fixed meaning in every event. */
const RESERVED_COLUMNS: readonly string[] = [
  'id',
  'timestamp',
  'event_message',
  'message',
  'metadata',
  'metadata_json',
];

const KNOWN_KEYS: readonly string[] = Object.keys(sourceSchema.shape);

/** @throws DefinitionsError with every problem of the file */
export function loadSources(file: string): readonly Source[] {
  return parseSources(file, readSourcesText(file));
}

/** @param file name in problems. @throws DefinitionsError with every problem of the text */
export function parseSources(file: string, text: string): readonly Source[] {
  const problem = (place: { line: number; column: number }, reason: string): DefinitionProblem => ({
    file,
    ...place,
    reason,
  });
  const yaml = readYaml(text);
  if (yaml.errors.length > 0) throw new DefinitionsError(yaml.errors.map((e) => problem(e.position, e.reason)));
  const checked = checkSources(yaml.value);
  if ('sources' in checked) return checked.sources;
  throw new DefinitionsError(
    checked.problems.map(({ path, key, reason }) =>
      problem(key === undefined ? yaml.positionOf(path) : yaml.positionOfKey(path, key), reason)
    )
  );
}

/** Checks plain data: its schema, and rules beyond the schema. */
function checkSources(
  value: unknown
): { readonly sources: readonly Source[] } | { readonly problems: readonly SourceProblem[] } {
  const parsed = sourcesSchema.safeParse(value);
  if (!parsed.success) {
    return {
      problems: parsed.error.issues.flatMap((issue) => {
        if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownKey(issue.path, key));
        return [{ path: issue.path, reason: `${formatPath(issue.path)}${issueReason(issue)}` }];
      }),
    };
  }
  const { sources } = parsed.data;
  const problems = [
    ...findSharedNames(sources),
    ...sources.flatMap(checkColumns),
    ...sources.flatMap(checkFields),
    ...sources.flatMap(checkTenant),
  ];
  return problems.length > 0 ? { problems } : { sources };
}

function unknownKey(path: readonly PropertyKey[], key: string): SourceProblem {
  return { path, key, reason: `unknown key "${key}"${path.length === 0 ? '' : didYouMean(key, KNOWN_KEYS)}` };
}

/** Names, aliases and ids share one namespace, and names in queries are case-insensitive. */
function findSharedNames(sources: readonly Source[]): SourceProblem[] {
  const owners = new Map<string, string>();
  const problems: SourceProblem[] = [];
  sources.forEach((source, index) => {
    const names = [
      { name: source.name, path: ['sources', index, 'name'] },
      ...source.aliases.map((name, i) => ({ name, path: ['sources', index, 'aliases', i] })),
      ...(source.id === undefined ? [] : [{ name: source.id, path: ['sources', index, 'id'] }]),
    ];
    for (const { name, path } of names) {
      const owner = owners.get(name.toLowerCase());
      if (owner === undefined) owners.set(name.toLowerCase(), source.name);
      else problems.push({ path, reason: `the name "${name}" is used by source "${owner}" already` });
    }
  });
  return problems;
}

function checkColumns(source: Source, index: number): SourceProblem[] {
  return Object.keys(source.columns)
    .filter((name) => RESERVED_COLUMNS.includes(name))
    .map((key) => ({
      path: ['sources', index, 'columns'],
      key,
      reason: `the column name "${key}" is reserved`,
    }));
}

function checkFields(source: Source, index: number): SourceProblem[] {
  const paths = Object.keys(source.fields);
  const known = new Set(paths);
  return paths.flatMap((key) => {
    const at = (reason: string): SourceProblem[] => [{ path: ['sources', index, 'fields'], key, reason }];
    const parts = key.split('.');
    if (parts.includes('')) return at(`the path "${key}" has an empty part`);
    const parent = parts.map((_, i) => parts.slice(0, i).join('.')).find((path) => known.has(path));
    if (parent !== undefined && source.fields[parent] !== 'ARRAY<STRUCT>') {
      return at(`"${parent}" has a value of its own, so "${key}" cannot be below it`);
    }
    return [];
  });
}

function checkTenant(source: Source, index: number): SourceProblem[] {
  const place = tenantPlaceOf(source);
  if (place === null) return [];
  const at = (reason: string): SourceProblem[] => [{ path: ['sources', index, 'tenant'], reason }];
  if ('column' in place) {
    const type = source.columns[place.column];
    if (type === undefined) return at(`"${place.column}" is not an own column of the source`);
    return type === 'STRING' ? [] : at(`the column "${place.column}" must be of type STRING`);
  }
  const type = source.fields[place.path.join('.')];
  return type === 'STRING' ? [] : at(`"${place.path.join('.')}" must be declared in "fields" with type STRING`);
}

function formatPath(path: readonly PropertyKey[]): string {
  if (path.length === 0) return '';
  const text = path.map((part, i) => (typeof part === 'number' ? `[${part}]` : `${i ? '.' : ''}${String(part)}`));
  return `${text.join('')}: `;
}

/** @throws DefinitionsError */
export function readSourcesText(file: string): string {
  const fail = (reason: string): DefinitionsError => new DefinitionsError([{ file, line: 1, column: 1, reason }]);
  const facts = statSync(file, { throwIfNoEntry: false });
  if (facts === undefined) throw fail('the file of sources does not exist');
  if (!facts.isFile()) throw fail('is not a file');
  if (facts.size > MAX_FILE_BYTES) throw fail(`is longer than ${MAX_FILE_BYTES} bytes`);
  const bytes = readBytes(file, fail);
  if (!isUtf8(bytes)) throw fail('is not valid UTF-8');
  return bytes.toString('utf8');
}

function readBytes(file: string, fail: (reason: string) => DefinitionsError): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw fail(`cannot be read (${errorCode(error)})`);
  }
}
