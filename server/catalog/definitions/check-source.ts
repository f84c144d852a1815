/** Checks one source as plain data: its schema, and rules beyond the schema; and the names of several. */
import { type Source, sourceSchema, tenantPlaceOf } from '#contract/events/source';
import type { z } from 'zod';
import { didYouMean } from '#contract/nearest-name';
import { issueReason } from '../../common/issue-reason';

export interface SourceProblem {
  readonly path: readonly PropertyKey[];
  /** Set when the problem is a key of the mapping at `path`, not its value. */
  readonly key?: string;
  readonly reason: string;
}

/** Names with a fixed meaning in every event. */
const RESERVED_COLUMNS: readonly string[] = [
  'id',
  'timestamp',
  'event_message',
  'message',
  'metadata',
  'metadata_json',
];

/** Names of tables of the service in ClickHouse. */
const RESERVED_NAMES: readonly string[] = ['lqe_fields', 'lqe_dead_letters'];

const KNOWN_KEYS: readonly string[] = Object.keys(sourceSchema.shape);

export type CheckedSource =
  | { readonly source: Source; readonly problems: readonly [] }
  | { readonly source: null; readonly problems: readonly SourceProblem[] };

export function checkSource(value: unknown): CheckedSource {
  const parsed = sourceSchema.safeParse(value);
  if (!parsed.success) return { source: null, problems: describeIssues(parsed.error, () => KNOWN_KEYS) };
  const problems = rulesOf(parsed.data);
  return problems.length > 0 ? { source: null, problems } : { source: parsed.data, problems: [] };
}

/** Rules beyond the schema. */
export function rulesOf(source: Source): readonly SourceProblem[] {
  return [...checkName(source), ...checkColumns(source), ...checkFields(source), ...checkTenant(source)];
}

/** @param knownKeys keys of the mapping at a path, for "did you mean" */
export function describeIssues(
  error: z.ZodError,
  knownKeys: (path: readonly PropertyKey[]) => readonly string[]
): readonly SourceProblem[] {
  return error.issues.flatMap((issue) => {
    if (issue.code !== 'unrecognized_keys')
      return [{ path: issue.path, reason: `${formatPath(issue.path)}${issueReason(issue)}` }];
    return issue.keys.map((key) => ({
      path: issue.path,
      key,
      reason: `unknown key "${key}"${didYouMean(key, knownKeys(issue.path))}`,
    }));
  });
}

export interface SharedName {
  readonly name: string;
  /** Name of the source that has it. */
  readonly owner: string;
  /** Index of the other source in `added`, and where it has the name. */
  readonly index: number;
  readonly path: readonly PropertyKey[];
}

/**
 * Names, aliases and ids share one namespace, and names in queries are case-insensitive.
 *
 * @param present sources whose names are in use
 * @returns names of `added` that are in use, by these or by an earlier one of `added`
 */
export function sharedNames(present: readonly Source[], added: readonly Source[]): readonly SharedName[] {
  const owners = new Map(present.flatMap((source) => namesOf(source).map(({ name }) => [keyOf(name), source.name])));
  return added.flatMap((source, index) =>
    namesOf(source).flatMap(({ name, path }) => {
      const owner = owners.get(keyOf(name));
      if (owner !== undefined) return [{ name, owner, index, path }];
      owners.set(keyOf(name), source.name);
      return [];
    })
  );
}

function namesOf({ name, aliases, id }: Source): readonly { readonly name: string; readonly path: PropertyKey[] }[] {
  return [
    { name, path: ['name'] },
    ...aliases.map((alias, i) => ({ name: alias, path: ['aliases', i] })),
    ...(id === undefined ? [] : [{ name: id, path: ['id'] }]),
  ];
}

function keyOf(name: string): string {
  return name.toLowerCase();
}

function checkName({ name }: Source): SourceProblem[] {
  return RESERVED_NAMES.includes(name) ? [{ path: ['name'], reason: `the name "${name}" is reserved` }] : [];
}

function checkColumns({ columns }: Source): SourceProblem[] {
  return Object.keys(columns)
    .filter((name) => RESERVED_COLUMNS.includes(name))
    .map((key) => ({ path: ['columns'], key, reason: `the column name "${key}" is reserved` }));
}

function checkFields({ fields }: Source): SourceProblem[] {
  const paths = Object.keys(fields);
  const known = new Set(paths);
  return paths.flatMap((key) => {
    const at = (reason: string): SourceProblem[] => [{ path: ['fields'], key, reason }];
    const parts = key.split('.');
    if (parts.includes('')) return at(`the path "${key}" has an empty part`);
    const parent = parts.map((_, i) => parts.slice(0, i).join('.')).find((path) => known.has(path));
    if (parent !== undefined && fields[parent] !== 'ARRAY<STRUCT>') {
      return at(`"${parent}" has a value of its own, so "${key}" cannot be below it`);
    }
    return [];
  });
}

function checkTenant(source: Source): SourceProblem[] {
  const place = tenantPlaceOf(source);
  if (place === null) return [];
  const at = (reason: string): SourceProblem[] => [{ path: ['tenant'], reason }];
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
