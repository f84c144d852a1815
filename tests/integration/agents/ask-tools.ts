/** The official client of the protocol against a server. */
import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';

export interface ToolAnswer {
  readonly isError: boolean;
  readonly text: string;
  readonly structured: Record<string, unknown>;
}

export interface AgentClient {
  readonly client: Client;
  call(name: string, args: Record<string, unknown>): Promise<ToolAnswer>;
  close(): Promise<void>;
}

export const overHttp = (url: string, token: string): Transport =>
  new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers: { 'X-API-KEY': token } } });

/** @param isModern negotiates the newest version of the protocol, which has no handshake */
export async function connect(transport: Transport, isModern = false): Promise<AgentClient> {
  const client = new Client({ name: 'test', version: '1' }, isModern ? { versionNegotiation: { mode: 'auto' } } : {});
  await client.connect(transport);
  return {
    client,
    call: async (name, args) => {
      const answer = await client.callTool({ name, arguments: args });
      const [first] = answer.content as { text: string }[];
      return {
        isError: answer.isError === true,
        text: first?.text ?? '',
        structured: (answer.structuredContent ?? {}) as Record<string, unknown>,
      };
    },
    close: () => client.close(),
  };
}
