/** Runs a tool. Failures that an agent can mend are results of the tool, with code, position and hint. */
import type { CallToolResult } from '@modelcontextprotocol/server';
import { nearestName } from '#contract/nearest-name';
import { hasScope } from '../../catalog/tokens/principal';
import { hideTokenTexts } from '../../catalog/tokens/secrets/token-text';
import { ClientAbortError } from '../request/client-abort';
import { requestFacts } from '../request/request-facts';
import { visibleEndpoints } from '../request/visible-endpoint';
import { toServiceError } from '../response/error-response';
import type { KeyedCall } from '../router';
import type { Arguments } from './arguments';
import type { ToolAnswer, ToolCall } from './tool-call';
import { checkQuery } from './tools/check-query';
import { describeLogs } from './tools/describe-logs';
import { querySaved } from './tools/query-saved';
import { queryLogs } from './tools/query-logs';
import { CHECK_QUERY, DESCRIBE_LOGS, QUERY_LOGS, toolNames } from './tools/tool-names';

type Tool = (call: ToolCall, given: Arguments) => Promise<ToolAnswer>;

/** @returns null: there is no such tool. */
export async function runTool(
  call: KeyedCall,
  name: string,
  given: Arguments,
  signal: AbortSignal
): Promise<CallToolResult | null> {
  const tool = findTool(call, name);
  if (tool === null) return null;
  try {
    const { text, structured } = await tool({ ...call, signal }, given);
    return { content: [{ type: 'text', text }], structuredContent: structured };
  } catch (error) {
    if (error instanceof ClientAbortError) throw error;
    return failedResult(call, error);
  }
}

/** Saved queries whose names are compared, which takes microseconds for each. */
const MAX_COMPARED = 300;

/** @returns the tool with the nearest name; undefined: no name is near */
export function nearestTool({ ctx, principal }: KeyedCall, name: string): string | undefined {
  const visible = visibleEndpoints(ctx, principal).slice(0, MAX_COMPARED);
  const own = hasScope(principal, 'adhoc') ? [DESCRIBE_LOGS, QUERY_LOGS, CHECK_QUERY] : [];
  return nearestName(name, [...own, ...toolNames(visible).keys()]);
}

function findTool(call: KeyedCall, name: string): Tool | null {
  if (name === DESCRIBE_LOGS) return describeLogs;
  if (name === QUERY_LOGS) return queryLogs;
  if (name === CHECK_QUERY) return checkQuery;
  const definition = toolNames(visibleEndpoints(call.ctx, call.principal)).get(name);
  return definition === undefined ? null : (each, given) => querySaved(each, definition, given);
}

function failedResult({ ctx, req }: KeyedCall, thrown: unknown): CallToolResult {
  const error = toServiceError(thrown);
  const facts = requestFacts(req);
  facts.failure = error;
  if (error.code === 'internal')
    ctx.logger.error({ err: error.cause, request_id: facts.id, route: facts.route ?? null }, 'unexpected failure');
  const body = { code: error.code, message: error.sentence, details: { ...error.details, request_id: facts.id } };
  const safe = hideTokenTexts(JSON.stringify({ error: body }));
  return {
    isError: true,
    content: [{ type: 'text', text: safe }],
    structuredContent: JSON.parse(safe) as Record<string, unknown>,
  };
}
