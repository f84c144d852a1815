/** Tools that a token may use, with the schemas of their arguments. */
import type { ListToolsResult, Tool } from '@modelcontextprotocol/server';
import type { Parameter, SavedQuery } from '#contract/queries/saved-query';
import { hasScope } from '../../../catalog/tokens/principal';
import { parameterSchema } from '../../openapi/saved-query-operation';
import { readCursorText, writeCursor } from '../../parsing/page-query';
import { visibleEndpoints } from '../../request/visible-endpoint';
import type { KeyedCall } from '../../router';
import { DEFAULT_ROWS, MAX_ROWS } from '../result-text';
import { CHECK_QUERY, DESCRIBE_LOGS, QUERY_LOGS, toolNames } from './tool-names';

type Caller = Pick<KeyedCall, 'ctx' | 'principal' | 'tenant'>;
type InputSchema = Tool['inputSchema'];

const PAGE = 100;
const READ_ONLY = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false } as const;

/** Name of the argument for fewer or more rows. A parameter of this name takes its place. */
export const MAX_ROWS_ARGUMENT = 'max_rows';

/** @param cursor of an earlier page; null: the first one */
export function listTools(caller: Caller, cursor: string | null): ListToolsResult {
  const after = cursor === null ? null : readCursorText(cursor);
  const own = [...toolNames(visibleEndpoints(caller.ctx, caller.principal))]
    .filter(([name]) => after === null || name > after)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const page = own.slice(0, PAGE);
  const last = page.at(-1);
  const tools = page.map(([name, definition]) => savedQueryTool(caller, name, definition));
  return {
    tools: after === null ? [...sandboxTools(caller), ...tools] : tools,
    ...(own.length > page.length && last && { nextCursor: writeCursor(last[0]) }),
  };
}

function savedQueryTool(caller: Caller, name: string, definition: SavedQuery): Tool {
  const description = definition.description === '' ? `The saved query ${definition.name}.` : definition.description;
  return {
    name,
    title: definition.name,
    description,
    inputSchema: objectSchema(
      {
        ...parameterProperties(caller, definition),
        ...(!definition.parameters.some((parameter) => parameter.name === MAX_ROWS_ARGUMENT) && MAX_ROWS_PROPERTY),
      },
      requiredNames(caller, definition)
    ),
    annotations: { title: definition.name, ...READ_ONLY },
  };
}

const MAX_ROWS_PROPERTY = {
  [MAX_ROWS_ARGUMENT]: {
    type: 'integer',
    minimum: 1,
    maximum: MAX_ROWS,
    default: DEFAULT_ROWS,
    description: 'Rows at most. Ask for fewer, or for an aggregate, when an answer is cut.',
  },
};

/** Parameters that the token fills in are left out. */
function openParameters({ principal, tenant }: Caller, { parameters }: SavedQuery): readonly Parameter[] {
  const fixed = principal.policy.fixed_parameters;
  return parameters.filter((each) => !Object.hasOwn(fixed, each.name) && !(each.tenant === true && tenant !== null));
}

function parameterProperties(caller: Caller, definition: SavedQuery): Record<string, object> {
  return Object.fromEntries(
    openParameters(caller, definition).map((parameter) => [
      parameter.name,
      {
        ...parameterSchema(parameter),
        ...(parameter.description !== undefined && { description: parameter.description }),
        ...(parameter.format === 'iso8601' && { examples: ['2026-03-01T08:00:00Z'] }),
      },
    ])
  );
}

function requiredNames(caller: Caller, definition: SavedQuery): readonly string[] {
  return openParameters(caller, definition)
    .filter(({ required }) => required)
    .map(({ name }) => name);
}

/** Tools for texts of the agent's own. */
function sandboxTools(caller: Caller): readonly Tool[] {
  if (!hasScope(caller.principal, 'adhoc')) return [];
  const endpoints = visibleEndpoints(caller.ctx, caller.principal).filter(({ sandbox }) => sandbox);
  if (endpoints.length === 0) return [];
  const endpoint = {
    type: 'string',
    description: 'Saved query whose sandbox has the tables.',
    ...(endpoints.length <= PAGE && { enum: endpoints.map(({ name }) => name) }),
  };
  const sql = { type: 'string', description: 'One GoogleSQL SELECT over the tables of the sandbox.' };
  const lql = {
    type: 'string',
    description: 'One LQL filter instead of SQL, such as: f:edge_logs m.response.status_code:>=500 t:last@1h',
  };
  const parameters = {
    type: 'object',
    description: 'Parameters of the saved query, such as the project and the time range.',
    additionalProperties: { type: ['string', 'number', 'boolean'] },
  };
  return [
    {
      name: DESCRIBE_LOGS,
      title: 'Describe the logs',
      description:
        'Tables of a sandbox, their fields with types, redacted example values of one table, parameters, and the rules of the SQL dialect. Call it before you write a query.',
      inputSchema: objectSchema(
        { endpoint, table: { type: 'string', description: 'Fields and examples of this table only.' }, parameters },
        ['endpoint']
      ),
      annotations: { title: 'Describe the logs', ...READ_ONLY },
    },
    {
      name: QUERY_LOGS,
      title: 'Query the logs',
      description: 'Run a SELECT or an LQL filter of your own over the tables that describe_logs lists.',
      inputSchema: objectSchema({ endpoint, sql, lql, parameters, ...MAX_ROWS_PROPERTY }, ['endpoint']),
      annotations: { title: 'Query the logs', ...READ_ONLY },
    },
    {
      name: CHECK_QUERY,
      title: 'Check a query',
      description: 'Find mistakes in a SELECT or an LQL filter, with position and hint, without a run.',
      inputSchema: objectSchema({ endpoint, sql, lql, parameters }, ['endpoint']),
      annotations: { title: 'Check a query', ...READ_ONLY },
    },
  ];
}

function objectSchema(properties: Record<string, object>, required: readonly string[]): InputSchema {
  return { type: 'object', properties, required: [...required], additionalProperties: false } as InputSchema;
}
