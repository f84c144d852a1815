/**
 * Answers one message of the Model Context Protocol with the tools of a token. The SDK reads and writes the protocol.
 */
import type { IncomingMessage } from 'node:http';
import type * as Sdk from '@modelcontextprotocol/server' with { 'resolution-mode': 'import' };
import { ServiceError } from '#contract/errors';
import { hideTokenTexts } from '../../catalog/tokens/secrets/token-text';
import { VERSION } from '../../common/version';
import type { KeyedCall } from '../router';
import { DATA_NOT_INSTRUCTIONS } from './result-text';
import { nearestTool, runTool } from './run-tool';
import { listTools } from './tools/list-tools';

export interface ProtocolAnswer {
  readonly status: number;
  readonly bytes: Buffer;
}

const INSTRUCTIONS = `Read-only queries over logs. Each saved query is a tool. With "query_logs" you write SQL (GoogleSQL) or LQL over \
the tables that "describe_logs" lists; "check_query" finds mistakes without a run. Ask for aggregates and short time \
ranges before rows. ${DATA_NOT_INSTRUCTIONS}`;

/** @param signal aborts the run when the client closes the connection */
export async function answerMessage(call: KeyedCall, message: unknown, signal: AbortSignal): Promise<ProtocolAnswer> {
  // Loaded by the first message: few servers have agents.
  const sdk = await import('@modelcontextprotocol/server');
  const handler = sdk.createMcpHandler(() => createServer(sdk, call, signal), {
    // Lists of tools change with saved queries, but no stream is kept open to say so.
    maxSubscriptions: 0,
    keepAliveMs: 0,
  });
  try {
    const response = await handler.fetch(requestOf(call.req), { parsedBody: message });
    return { status: response.status, bytes: Buffer.from(messageOf(response, await response.text())) };
  } finally {
    await handler.close();
  }
}

function createServer(sdk: typeof Sdk, call: KeyedCall, signal: AbortSignal): Sdk.Server {
  const server = new sdk.Server(
    { name: 'log-query-endpoints', title: 'Log Query Endpoints', version: VERSION },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS }
  );
  server.setRequestHandler('tools/list', ({ params }) => {
    try {
      return listTools(call, params?.cursor ?? null);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      throw new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidParams, error.message);
    }
  });
  server.setRequestHandler('tools/call', async ({ params }) => {
    const answer = await runTool(call, params.name, params.arguments ?? {}, signal);
    if (answer !== null) return answer;
    const name = hideTokenTexts(params.name).slice(0, MAX_SHOWN_NAME);
    const meant = nearestTool(call, params.name);
    const hint = meant === undefined ? '' : ` Did you mean "${meant}"?`;
    throw new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidParams, `There is no tool "${name}".${hint}`);
  });
  return server;
}

const MAX_SHOWN_NAME = 64;
const DATA = 'data: ';

/**
 * Earlier versions of the protocol are answered as a stream of one event, which is a message as well. It is split at
 * line feeds only: other line separators of Unicode may be in texts of the message.
 */
function messageOf({ headers }: Response, text: string): string {
  if (!(headers.get('Content-Type') ?? '').startsWith('text/event-stream')) return text;
  const line = text.split('\n').find((each) => each.startsWith(DATA) && each.length > DATA.length);
  return line?.slice(DATA.length) ?? '';
}

/** The request as the SDK reads it: headers of the protocol only, never the token. */
function requestOf(req: IncomingMessage): Request {
  const headers = new Headers({ 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' });
  for (const [name, value] of Object.entries(req.headers))
    if (name.startsWith('mcp-') && typeof value === 'string') headers.set(name, value);
  return new Request('http://localhost/mcp', { method: 'POST', headers });
}
