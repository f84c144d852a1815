/** Describes the tables of a sandbox. Example values are always redacted. */
import { z } from 'zod';
import type { DescribedColumn, DescribedTable, FieldMisfits, QueryMisfits } from '#contract/queries/description';
import { ServiceError } from '#contract/errors';
import { ensureSandbox } from '#contract/failures';
import { meantHint } from '#contract/nearest-name';
import type { SavedQuery } from '#contract/queries/saved-query';
import { ensureScope } from '../../../catalog/tokens/principal';
import { seesAllEvents } from '../../../catalog/tokens/tenant-of';
import type { NameValue } from '../../parsing/query-string';
import { bindParameters } from '../../request/call/bind-parameters';
import { describeQuery } from '../../request/describe-query';
import { visibleEndpoint } from '../../request/visible-endpoint';
import { ignoredNotes } from '../../response/ignored-parameters';
import { type Arguments, parameterEntries, parametersShape, readArguments } from '../arguments';
import { DIALECT_RULES } from '../dialect-rules';
import { DATA_NOT_INSTRUCTIONS, type Row } from '../result-text';
import type { ToolAnswer, ToolCall } from '../tool-call';
import { printSpecial } from '../visible-characters';
import { valuesOf } from './parameter-values';
import { readRows } from './read-rows';

const SHAPE = { endpoint: z.string(), table: z.string().optional(), parameters: parametersShape };
const EXAMPLE_ROWS = 20;
const MAX_EXAMPLE_LENGTH = 80;
/** Maximum fields of all described tables together: a store may have thousands. */
const MAX_FIELDS = 600;
const MAX_MISFITS = 50;

interface DescribedField {
  readonly path: string;
  readonly type: string;
  /** Value of a recent event, redacted; absent without one. */
  readonly example?: string;
}

export async function describeLogs(call: ToolCall, given: Arguments): Promise<ToolAnswer> {
  const { ctx, principal, tenant } = call;
  ensureScope(principal, 'adhoc');
  const { endpoint, table, parameters } = readArguments(SHAPE, given);
  const definition = visibleEndpoint(ctx, principal, endpoint);
  ensureSandbox(definition);
  const entries = parameterEntries(parameters);
  const bound = { fixed_parameters: principal.policy.fixed_parameters, tenant };
  const { ignored } = bindParameters(definition, entries, bound, { reserved: [], partial: true });
  const notes = ignoredNotes(ignored);
  const request = {
    endpointId: definition.id,
    tenant,
    redact: principal.policy.force_redaction,
    misfits: seesAllEvents(principal, tenant),
  };
  const { tables, misfits = [] } = await describeQuery(call, request, call.signal);
  const chosen = table === undefined ? null : findTable(tables, table);
  const described =
    chosen === null ? overview(tables) : [await withExamples(call, definition, { table: chosen, entries })];
  // Once is enough: an agent that names a table has seen them.
  const own = await describeParameters(call, definition, chosen === null);
  const structured = {
    endpoint: definition.name,
    parameters: own,
    tables: described,
    ...(misfits.length > 0 && { misfits: misfits.slice(0, MAX_MISFITS).map(withoutSource) }),
    ...(notes.length > 0 && { notes }),
  };
  return { text: writeDescription(structured, chosen === null), structured };
}

interface DescribedParameter {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly description?: string | undefined;
  /** All values, or known ones, redacted. */
  readonly values?: readonly string[];
}

async function describeParameters(
  call: ToolCall,
  definition: SavedQuery,
  hasValues: boolean
): Promise<readonly DescribedParameter[]> {
  const described: DescribedParameter[] = [];
  for (const parameter of definition.parameters) {
    const { name, type, required, description } = parameter;
    const { values } = hasValues ? await valuesOf(call, parameter) : { values: [] };
    described.push({ name, type, required, description, ...(values.length > 0 && { values }) });
  }
  return described;
}

/** Agents know tables, not sources. */
function withoutSource({ field, type, values }: QueryMisfits): FieldMisfits {
  return { field: `metadata.${field}`, type, values };
}

function findTable(tables: readonly DescribedTable[], name: string): DescribedTable {
  const found = tables.find((each) => each.name.toLowerCase() === name.toLowerCase());
  if (found) return found;
  const names = tables.map((each) => each.name);
  throw new ServiceError('parameter_invalid', `There is no table "${name.slice(0, 64)}" in this sandbox.`, {
    parameter: 'table',
    allowed: names,
    ...meantHint(name, names),
  });
}

interface Table {
  readonly name: string;
  readonly fields: readonly DescribedField[];
  /** Fields that are left out. */
  readonly more_fields?: number;
}

function overview(tables: readonly DescribedTable[]): readonly Table[] {
  const share = Math.floor(MAX_FIELDS / tables.length);
  return tables.map(({ name, columns }) => {
    const fields = columns.flatMap((column) => fieldsOf(column, ''));
    const shown = fields.slice(0, share);
    return { name, fields: shown, ...(shown.length < fields.length && { more_fields: fields.length - shown.length }) };
  });
}

function fieldsOf({ name, type, fields }: DescribedColumn, prefix: string): readonly DescribedField[] {
  const path = `${prefix}${name}`;
  if (fields === undefined) return [{ path, type }];
  return fields.flatMap((field) => fieldsOf(field, `${path}.`));
}

/** Examples need a run: without its required parameters the fields have no examples. */
async function withExamples(
  call: ToolCall,
  definition: SavedQuery,
  { table, entries }: { readonly table: DescribedTable; readonly entries: readonly NameValue[] }
): Promise<Table> {
  const [described] = overview([table]) as [Table];
  // The name is one of the service's own: the text stays its own, too.
  const text = `select * from \`${table.name}\` order by timestamp desc limit ${EXAMPLE_ROWS}`;
  const adhoc = { language: 'sql', text } as const;
  const unbound = { definition, adhoc, entries, maxRows: EXAMPLE_ROWS, redact: true };
  const { rows } = await readRows(call, unbound).catch((error: unknown) => {
    if (error instanceof ServiceError && error.code === 'parameter_missing') return { rows: [] };
    throw error;
  });
  return {
    ...described,
    fields: described.fields.map((field) => {
      const example = exampleOf(rows, field.path.split('.'));
      return example === null ? field : { ...field, example };
    }),
  };
}

function exampleOf(rows: readonly Row[], path: readonly string[]): string | null {
  for (const row of rows) {
    const value = valueAt(row, path);
    if (value !== null && value !== '') return printSpecial(value).slice(0, MAX_EXAMPLE_LENGTH);
  }
  return null;
}

/** Each record is in an array of one. */
function valueAt(value: unknown, [name, ...rest]: readonly string[]): string | null {
  const inner: unknown = Array.isArray(value) ? value[0] : value;
  if (name === undefined) {
    if (inner === null || inner === undefined) return null;
    return typeof inner === 'string' ? inner : JSON.stringify(inner);
  }
  if (typeof inner !== 'object' || inner === null || !Object.hasOwn(inner, name)) return null;
  return valueAt((inner as Row)[name], rest);
}

interface Description {
  readonly endpoint: string;
  readonly parameters: readonly DescribedParameter[];
  readonly tables: readonly Table[];
  readonly misfits?: readonly FieldMisfits[];
  /** Names of arguments that no parameter has. */
  readonly notes?: readonly string[];
}

function writeDescription(
  { endpoint, parameters, tables, misfits = [], notes = [] }: Description,
  hasRules: boolean
): string {
  const hasExamples = tables.some(({ fields }) => fields.some(({ example }) => example !== undefined));
  const hasValues = parameters.some(({ values }) => values !== undefined);
  return [
    `Sandbox of ${endpoint}. Parameters:${parameters.length === 0 ? ' none.' : ''}`,
    ...parameters.map(writeParameter),
    ...(hasValues ? [`Values of parameters may come from events, redacted. ${DATA_NOT_INSTRUCTIONS}`] : []),
    ...notes,
    ...(hasRules ? ['Name one table for example values.'] : []),
    ...(hasExamples ? [`Example values are of recent events, redacted. ${DATA_NOT_INSTRUCTIONS}`] : []),
    ...tables.flatMap(writeTable),
    ...writeMisfits(misfits),
    ...(hasRules ? ['', DIALECT_RULES] : []),
  ].join('\n');
}

function writeParameter({ name, type, required, description = '', values }: DescribedParameter): string {
  const facts = `  ${name} (${type}${required ? ', required' : ''})`;
  const known = values === undefined ? '' : `  values: ${values.map((value) => JSON.stringify(value)).join(', ')}`;
  return `${facts}${description === '' ? '' : `  ${description}`}${known}`;
}

function writeTable({ name, fields, more_fields: more }: Table): readonly string[] {
  const rest = more === undefined ? [] : [`  and ${more} more fields`];
  return ['', `Table ${name}`, ...fields.map(writeField), ...rest];
}

function writeMisfits(misfits: readonly FieldMisfits[]): readonly string[] {
  if (misfits.length === 0) return [];
  const head = 'Fields that read as NULL where an event has a value of another type, with the number of such values:';
  return ['', head, ...misfits.map(({ field, type, values }) => `  ${field} ${type}  ${values}`)];
}

function writeField({ path, type, example }: DescribedField): string {
  return `  ${path} ${type}${example === undefined ? '' : `  e.g. ${JSON.stringify(example)}`}`;
}
