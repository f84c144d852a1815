/** What a person enters for a source, as texts and rows, and the definition and the changes that it makes. */
import { asSentence } from '#contract/as-sentence';
import type { ScalarType, Source } from '#contract/events/source';
import { isRecord } from '#contract/records';

export type FieldType = Source['fields'][string];
export type SourceDefinition = Omit<Source, 'id'>;

export interface TypedRow<Type extends FieldType = FieldType> {
  readonly name: string;
  readonly type: Type;
}

export interface SourceFields {
  readonly name: string;
  readonly description: string;
  /** Days; empty: the default. */
  readonly retention: string;
  /** What names the tenant of an event. */
  readonly tenantIn: 'nothing' | 'column' | 'field';
  readonly tenantColumn: string;
  /** Path below metadata. */
  readonly tenantField: string;
  readonly isTenantOptional: boolean;
  /** With that of the tenant, where it is stored already. */
  readonly columns: ReadonlyArray<TypedRow<ScalarType>>;
  readonly fields: readonly TypedRow[];
  /** One a line. */
  readonly aliases: string;
}

/** A problem of a field, by its path in the definition. */
export interface FieldProblem {
  readonly path: ReadonlyArray<string | number>;
  readonly reason: string;
}

export const NEW_SOURCE_FIELDS: SourceFields = {
  name: '',
  description: '',
  retention: '',
  tenantIn: 'nothing',
  tenantColumn: 'project',
  tenantField: '',
  isTenantOptional: false,
  columns: [],
  fields: [],
  aliases: '',
};

const METADATA = 'metadata.';

export function fieldsOfSource(definition: SourceDefinition): SourceFields {
  const { name, description, retention_days, tenant, tenant_optional, columns, fields, aliases } = definition;
  const isField = tenant?.startsWith(METADATA) === true;
  return {
    name,
    description,
    retention: String(retention_days),
    tenantIn: tenant === null ? 'nothing' : isField ? 'field' : 'column',
    tenantColumn: tenant === null || isField ? NEW_SOURCE_FIELDS.tenantColumn : tenant,
    tenantField: isField ? tenant.slice(METADATA.length) : '',
    isTenantOptional: tenant_optional,
    columns: Object.entries(columns).map(([each, type]) => ({ name: each, type })),
    fields: Object.entries(fields).map(([each, type]) => ({ name: each, type })),
    aliases: aliases.join('\n'),
  };
}

/** The definition as the service takes it. A text that is no number stays a text, which the service refuses by name. */
export function definitionOf(fields: SourceFields): Readonly<Record<string, unknown>> {
  const { name, description, retention, tenantIn, isTenantOptional } = fields;
  const column = fields.tenantColumn;
  const field = tenantPath(fields);
  const days = retention.trim();
  return {
    name: name.trim(),
    description,
    ...(days !== '' && { retention_days: /^\d{1,15}$/.test(days) ? Number(days) : days }),
    tenant: tenantIn === 'nothing' ? null : tenantIn === 'column' ? column : METADATA + field,
    tenant_optional: tenantIn !== 'nothing' && isTenantOptional,
    columns: declared(fields.columns, tenantIn === 'column' ? column : null),
    fields: declared(fields.fields, tenantIn === 'field' ? field : null),
    aliases: linesOf(fields.aliases),
  };
}

/** A path that is typed with its `metadata.` means the same. */
function tenantPath({ tenantField }: SourceFields): string {
  return tenantField.startsWith(METADATA) ? tenantField.slice(METADATA.length) : tenantField;
}

/** @param tenant a text that is declared, too; null: none */
function declared(rows: readonly TypedRow[], tenant: string | null): Readonly<Record<string, FieldType>> {
  const named = rows.map(({ name, type }) => [name, type] as const).filter(([name]) => name !== '');
  const isDeclared = tenant === null || named.some(([name]) => name === tenant);
  return Object.fromEntries<FieldType>(isDeclared ? named : [...named, [tenant, 'STRING']]);
}

function linesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** A merge patch [RFC 7396] of what differs. The name of a source does not change. */
export function sourcePatch(before: SourceDefinition, after: SourceFields): Readonly<Record<string, unknown>> {
  const next = { retention_days: null, ...definitionOf(after) };
  const old = new Map<string, unknown>(Object.entries(before));
  const patches = Object.entries<unknown>(next).map(([key, value]) => [key, patchOf(old.get(key), value)] as const);
  return Object.fromEntries(patches.filter(([key, value]) => key !== 'name' && value !== undefined));
}

/** @returns undefined: no difference */
function patchOf(before: unknown, after: unknown): unknown {
  if (!isRecord(before) || !isRecord(after))
    return JSON.stringify(before) === JSON.stringify(after) ? undefined : after;
  const old = new Map<string, unknown>(Object.entries(before));
  const next = new Map<string, unknown>(Object.entries(after));
  const names = [...new Set([...old.keys(), ...next.keys()])].filter((name) => old.get(name) !== next.get(name));
  return names.length === 0 ? undefined : Object.fromEntries(names.map((name) => [name, next.get(name) ?? null]));
}

const COLUMNS = 'columns.';
const FIELDS = 'fields.';

/** One value for each column and field, so that two changes of different ones are merged. */
export function flattenSource(definition: SourceDefinition): Readonly<Record<string, unknown>> {
  const { description, retention_days, tenant, tenant_optional, columns, fields, aliases } = definition;
  return {
    description,
    retention_days,
    ...(tenant !== null && { tenant }),
    tenant_optional,
    ...prefixed(COLUMNS, columns),
    ...prefixed(FIELDS, fields),
    ...(aliases.length > 0 && { aliases }),
  };
}

/** @param flat of two changes of this source, merged */
export function unflattenSource(name: string, flat: Readonly<Record<string, unknown>>): SourceDefinition {
  const { description, retention_days, tenant = null, tenant_optional, aliases = [] } = flat as unknown as Source;
  return {
    name,
    description,
    retention_days,
    tenant,
    tenant_optional,
    columns: below<ScalarType>(COLUMNS, flat),
    fields: below<FieldType>(FIELDS, flat),
    aliases,
  };
}

function prefixed(prefix: string, members: object): object {
  return Object.fromEntries(Object.entries(members).map(([name, type]) => [prefix + name, type as unknown]));
}

function below<Type>(prefix: string, flat: Readonly<Record<string, unknown>>): Record<string, Type> {
  const members = Object.entries(flat).filter(([key]) => key.startsWith(prefix));
  return Object.fromEntries(members.map(([key, type]) => [key.slice(prefix.length), type as Type]));
}

const NAME = /^[a-z][a-z0-9_]{0,62}$/;
const NAME_RULE = 'small letters, digits and _, beginning with a letter, at most 63 characters';

/**
 * What a person can see to be wrong while typing. The service checks all else.
 * @param namesInUse of other sources: names and aliases
 */
export function checkFields(fields: SourceFields, namesInUse: readonly string[]): readonly FieldProblem[] {
  const { name, tenantIn, tenantColumn, columns } = fields;
  const tenant =
    tenantIn === 'column' && !NAME.test(tenantColumn)
      ? `A column has ${NAME_RULE}.`
      : tenantIn === 'field' && tenantPath(fields) === ''
        ? 'Name the field.'
        : null;
  return [
    ...at(['name'], nameProblem(name.trim(), namesInUse)),
    ...at(['tenant'], tenant),
    ...rowProblems('columns', columns, (each) => (NAME.test(each) ? null : `A column has ${NAME_RULE}.`)),
    ...rowProblems('fields', fields.fields, () => null),
    ...linesOf(fields.aliases).flatMap((alias, line) => at(['aliases', line], inUse(alias, namesInUse))),
  ];
}

const at = (path: FieldProblem['path'], reason: string | null): readonly FieldProblem[] =>
  reason === null ? [] : [{ path, reason }];

function nameProblem(name: string, namesInUse: readonly string[]): string | null {
  if (name === '') return null;
  if (NAME.test(name)) return inUse(name, namesInUse);
  const meant = name
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '_')
    .replace(/^[^a-z]+|_+$/g, '')
    .slice(0, 63);
  return `A name has ${NAME_RULE}${NAME.test(meant) ? `: did you mean "${meant}"?` : '.'}`;
}

function inUse(name: string, namesInUse: readonly string[]): string | null {
  const isTaken = namesInUse.some((each) => each.toLowerCase() === name.toLowerCase());
  return isTaken ? `The name "${name}" is in use.` : null;
}

function rowProblems(
  key: 'columns' | 'fields',
  rows: readonly TypedRow[],
  check: (name: string) => string | null
): readonly FieldProblem[] {
  const seen = new Set<string>();
  return rows.flatMap(({ name }) => {
    if (name === '') return [];
    const isTwice = seen.has(name);
    seen.add(name);
    return at([key, name], isTwice ? `"${name}" is listed twice.` : check(name));
  });
}

/** What the service says about fields. */
export function refusedFields(
  { code, message, details }: { readonly code: string; readonly message: string; readonly details: object },
  { aliases }: SourceFields
): readonly FieldProblem[] {
  const { problems, value } = details as { readonly problems?: unknown; readonly value?: unknown };
  if (code === 'name_taken') {
    const line = linesOf(aliases).findIndex((alias) => alias === value);
    return [{ path: line === -1 ? ['name'] : ['aliases', line], reason: message }];
  }
  if (!Array.isArray(problems)) return [];
  return (problems as ReadonlyArray<Partial<FieldProblem>>).flatMap(({ path, reason = '' }) =>
    path === undefined ? [] : [{ path, reason: sentence(reason, path) }]
  );
}

/** The path is shown apart. */
const sentence = (reason: string, path: FieldProblem['path']): string =>
  asSentence(path.length > 0 ? reason.replace(/^[\w[\].]+: /, '') : reason);
