/** `lqe mcp`: the tools of a running server over standard input and output, for clients that start programs. */
import type { Command } from 'commander';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import {
  type CallToolResult,
  type ListToolsResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { VERSION } from '../../common/version';
import { addServerOptions, type ServerFlags, targetOf } from '../remote/server-options';
import { createManagementClient, type ManagementClient, ManagementError } from '../remote/management-client';
import { DrainingTransport } from './draining-transport';

/** As long as `fetch` waits for the head of a response. A saved query may allow its runs more. */
const TIMEOUT_MS = 300_000;

export function registerMcp(program: Command): void {
  addServerOptions(
    program.command('mcp').description('serve saved queries as tools of an agent, on standard input and output (MCP)')
  ).action(async (flags: ServerFlags) => {
    const onWait = (line: string): void => console.error(line);
    const client = createManagementClient(targetOf(flags, 'query'), { timeoutMs: TIMEOUT_MS, onWait });
    // Fails for a wrong address or token before the first message, where a person sees it.
    const { instructions } = await initialize(client);
    serveStdio(() => createProxy(client, instructions), { transport: new DrainingTransport() });
  });
}

const initializedSchema = z.object({ instructions: z.string().default('') });

async function initialize(client: ManagementClient): Promise<z.infer<typeof initializedSchema>> {
  const clientInfo = { name: 'lqe', version: VERSION };
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
  return initializedSchema.parse(await ask(client, 'initialize', params));
}

function createProxy(client: ManagementClient, instructions: string): Server {
  const server = new Server(
    { name: 'log-query-endpoints', title: 'Log Query Endpoints', version: VERSION },
    { capabilities: { tools: {} }, instructions }
  );
  server.setRequestHandler(
    'tools/list',
    async ({ params }, { mcpReq }) =>
      (await ask(client, 'tools/list', pick(params, ['cursor']), mcpReq.signal)) as ListToolsResult
  );
  server.setRequestHandler(
    'tools/call',
    async ({ params }, { mcpReq }) =>
      (await ask(client, 'tools/call', pick(params, ['name', 'arguments']), mcpReq.signal)) as CallToolResult
  );
  return server;
}

const answerSchema = z.object({
  result: z.unknown().optional(),
  error: z.object({ code: z.number(), message: z.string() }).optional(),
});

/**
 * @param signal of a request that may be canceled: the server ends the run when its connection closes
 * @throws ProtocolError with the server's message
 */
async function ask(client: ManagementClient, method: string, params: object, signal?: AbortSignal): Promise<unknown> {
  const message = { jsonrpc: '2.0', id: 1, method, params };
  const request = { method: 'POST', path: ['mcp'], body: message, ...(signal && { signal }) } as const;
  const { body } = await client.send(request).catch((error: unknown) => {
    throw error instanceof ManagementError ? new ProtocolError(ProtocolErrorCode.InternalError, error.message) : error;
  });
  const { result, error } = answerSchema.parse(body);
  if (error !== undefined) throw new ProtocolError(error.code, error.message);
  return result;
}

function pick(params: object | undefined, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(params ?? {}).filter(([name]) => names.includes(name)));
}
