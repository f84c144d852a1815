/**
 * Makes the definition of a saved query from the SQL or LQL of a panel, and has the service check it. Saves nothing.
 */
import { readLqlWords, tokenizeTemplate } from '#compiler/browser';
import { z } from 'zod';
import { FILTER_OPERATORS } from '#contract/plugin/field-filter';
import { MAX_ROWS, pluginQuerySchema } from '#contract/plugin/query';
import type { ComposedParameter, ComposeRequest, ComposeResource, VariableParameter } from '#contract/plugin/saving';
import type { ResourceError } from '#contract/plugin/resources';
import type { Parameter, SavedQuery } from '#contract/queries/saved-query';
import { asksForZeros, resolveMacros } from '../query/macros';
import { readyQuery } from '../query/read-query';
import { createTimeContext, formatSeconds, type TimeContext } from '../query/time-context';
import type { ResourceCall } from '../resources/resource-call';
import { PluginError } from '../service-client/failures/plugin-error';
import type { DefinitionBody } from '../service-client/service-client';
import { ensureEditor } from './ensure-editor';
import { joinStatements } from './join-statements';
import {
  freeName,
  hasTimeMarker,
  MARKED_TIME,
  type MarkedParameters,
  notComposable,
  parametersForMarkers,
  timeParameterNames,
  VARIABLE_MARKER,
} from './markers';

/** The service accepts no longer text of a caller. */
const MAX_TEXT_LENGTH = 65_536;

const bodySchema: z.ZodType<ComposeRequest> = z.object({
  endpoint: z.string().min(1),
  mode: z.enum(['sql', 'lql']),
  text: z.string().max(MAX_TEXT_LENGTH),
  filters: z.array(z.object({ field: z.string(), operator: z.enum(FILTER_OPERATORS), value: z.string() })).max(50),
  variables: z
    .array(
      z.object({
        variable: z.string().min(1).max(100),
        marker: z.string().regex(VARIABLE_MARKER),
        parameter: z.string().optional(),
      })
    )
    .max(50),
  intervalMs: z.number().min(0),
  redactPii: z.boolean(),
  name: z.string(),
  description: z.string(),
  maxRows: z.int().min(1).max(MAX_ROWS),
  cacheSeconds: z.int().nullable(),
  replaces: z.string().min(1).optional(),
});

export async function composeDefinition(call: ResourceCall): Promise<ComposeResource> {
  ensureEditor(call.user);
  const parsed = bodySchema.safeParse(call.body());
  if (!parsed.success)
    throw new PluginError('body_invalid', 'The body does not describe a query to save.', {
      status: 400,
      hint: parsed.error.issues[0]?.path.join('.'),
    });
  const request = parsed.data;
  const { endpoint: origin } = await call.instance.client.readEndpoint(request.endpoint, call.ctx);
  const replaced =
    request.replaces === undefined
      ? undefined
      : (await call.instance.client.readEndpoint(request.replaces, call.ctx)).endpoint;
  const marked = markedParameters(request.variables, origin);
  const time = { ...MARKED_TIME, intervalSeconds: intervalSecondsOf(request) };
  const sql = parametersForMarkers(await adhocSql(request, time, call), marked);
  ensureNoVariable(sql);
  const query = joinStatements(origin.query, sql);
  const parameters = declarations(query, origin, marked, request.variables);
  const definition = { ...fieldsOf(request, origin, replaced), query, parameters };
  return {
    definition,
    parameters: parameters.map((each) => composedParameter(each, origin, marked, request.variables)),
    notes: notesOf(request, time, replaced),
    problem: await problemOf(definition, call),
  };
}

function intervalSecondsOf({ intervalMs }: ComposeRequest): number {
  return createTimeContext(0, 0, intervalMs, 0).intervalSeconds;
}

/** The ad-hoc SQL, or that of the LQL text, with markers, filters included. */
async function adhocSql(request: ComposeRequest, time: TimeContext, { instance, ctx }: ResourceCall): Promise<string> {
  const { endpoint, mode, text, filters } = request;
  if (hasTimeMarker(text)) throw notComposable('The text has a time of 2199 that is used to find the time range.');
  if (mode === 'lql') ensureNoRelativeTime(text);
  const stored = pluginQuerySchema.parse({ endpoint: { id: endpoint }, mode, [mode]: text, filters });
  const { call } = readyQuery(stored, {}, time, false);
  if (mode === 'sql') return call.adhoc!.text;
  try {
    return (await instance.client.validate(call, ctx)).sql ?? '';
  } catch (error) {
    throw markedVariableProblem(error, request.variables) ?? error;
  }
}

/** LQL checks values by the type of their column, and a marker is a text. */
function markedVariableProblem(error: unknown, variables: readonly VariableParameter[]): PluginError | undefined {
  if (!(error instanceof PluginError)) return undefined;
  const found = variables.find(({ marker }) => error.message.includes(marker));
  return (
    found &&
    notComposable(
      `The variable $${found.variable} is compared with a number or a time in LQL, so it cannot become a parameter.`,
      'save its present value instead, or write the query in SQL'
    )
  );
}

/** The service resolves relative times when a text is compiled: a saved query would keep the time of its creation. */
function ensureNoRelativeTime(text: string): void {
  const word = readLqlWords(text).find(
    ({ path, value, quoted }) =>
      (path[0] === 'timestamp' || path[0] === 't') &&
      quoted === undefined &&
      /\b(?:now|today|yesterday)\b|\b(?:this|last)@/i.test(value)
  );
  if (word)
    throw notComposable(
      `"${word.text}" is relative to the time of the request, and a saved query has no such time in SQL.`,
      'use $__timeFilter, which becomes the parameters time_from and time_to'
    );
}

function ensureNoVariable(sql: string): void {
  const variable = tokenizeTemplate(sql).find(({ kind, text }) => kind === 'variable' && !text.startsWith('@'));
  if (variable) throw notComposable(`The variable ${variable.text} has no value.`);
}

function markedParameters(variables: readonly VariableParameter[], origin: SavedQuery): MarkedParameters {
  const declared = new Set(origin.parameters.map(({ name }) => name));
  const times = timeParameterNames(declared);
  const taken = new Set([...declared, times.from, times.to, 'sql', 'lql']);
  const names = variables.map(({ variable, marker, parameter }): [string, string] => {
    if (parameter !== undefined && declared.has(parameter)) return [marker, parameter];
    const name = freeName(/^[A-Za-z_]/.test(variable) ? variable : `v_${variable}`, taken);
    taken.add(name);
    return [marker, name];
  });
  return { ...times, variables: new Map(names) };
}

/** Parameters of the origin that the text uses or that name its tenant, then new ones. */
function declarations(
  query: string,
  origin: SavedQuery,
  marked: MarkedParameters,
  variables: readonly VariableParameter[]
): Parameter[] {
  const used = new Set(
    tokenizeTemplate(query).flatMap(({ kind, text }) =>
      kind === 'variable' && text.startsWith('@') ? [text.slice(1)] : []
    )
  );
  const kept = origin.parameters.filter(({ name, tenant }) => used.has(name) || tenant);
  const known = new Set(kept.map(({ name }) => name));
  const added = variables.flatMap(({ variable, marker }): Parameter[] => {
    const name = marked.variables.get(marker)!;
    if (known.has(name) || !used.has(name)) return [];
    known.add(name);
    return [{ name, type: 'text', required: true, description: `Value of the variable $${variable}.` }];
  });
  const times = [
    [marked.from, 'Beginning of the time range.'],
    [marked.to, 'End of the time range.'],
  ] as const;
  const bounds = times.flatMap(([name, description]): Parameter[] =>
    used.has(name) ? [{ name, type: 'timestamp', required: true, description }] : []
  );
  return [...kept, ...added, ...bounds];
}

function fieldsOf(request: ComposeRequest, origin: SavedQuery, replaced: SavedQuery | undefined) {
  const { name, description, maxRows, cacheSeconds, redactPii } = request;
  return {
    name,
    description,
    max_rows: maxRows,
    cache_seconds: cacheSeconds,
    // Never less redaction than the rows have in the panel.
    redact_pii: origin.redact_pii || redactPii || replaced?.redact_pii === true,
    redact: [...new Set([...origin.redact, ...(replaced?.redact ?? [])])],
    timeout_ms: origin.timeout_ms,
    max_bytes: origin.max_bytes,
    unknown_parameters: origin.unknown_parameters,
    // What others rely on of the saved query that gets a new revision.
    ...(replaced?.sandbox ? { sandbox: true } : {}),
    ...(replaced?.default_table ? { default_table: replaced.default_table } : {}),
    ...(replaced?.warm_seconds && cacheSeconds !== null ? { warm_seconds: replaced.warm_seconds } : {}),
  };
}

function composedParameter(
  { name, type, required }: Parameter,
  origin: SavedQuery,
  { from, to, variables }: MarkedParameters,
  wanted: readonly VariableParameter[]
): ComposedParameter {
  const variable = wanted.find(({ marker }) => variables.get(marker) === name)?.variable;
  const isOwn = !origin.parameters.some((each) => each.name === name);
  const bound = name === from ? 'from' : name === to ? 'to' : undefined;
  const value = bound === undefined ? `$${variable}` : `\${__${bound}:date:iso}`;
  return { name, type, required, ...(isOwn ? { panelValue: value } : {}) };
}

function notesOf(
  { mode, text, filters }: ComposeRequest,
  time: TimeContext,
  replaced: SavedQuery | undefined
): string[] {
  const wider = { ...time, intervalSeconds: time.intervalSeconds * 2 };
  const usesInterval = resolveMacros(text, mode, time) !== resolveMacros(text, mode, wider);
  return [
    ...(usesInterval
      ? [
          `Buckets keep the width that they have now, ${formatSeconds(time.intervalSeconds)}; a parameter cannot set it.`,
        ]
      : []),
    ...(asksForZeros(text, mode)
      ? ['Empty buckets have no rows in a saved query; choose "Zero" for them in the panel.']
      : []),
    ...(filters.length > 0 ? [`The filters become conditions of the text (${filters.length}).`] : []),
    ...(replaced ? [`The new revision replaces the whole query of ${replaced.name}; panels that use it change.`] : []),
  ];
}

async function problemOf(definition: DefinitionBody, { instance, ctx }: ResourceCall): Promise<ResourceError | null> {
  try {
    await instance.client.validateDefinition(definition, ctx);
    return null;
  } catch (error) {
    if (
      error instanceof PluginError &&
      error.facts.status < 500 &&
      error.facts.status !== 401 &&
      error.facts.status !== 403
    )
      return error.toResource();
    throw error;
  }
}
