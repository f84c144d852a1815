/**
 * Standard input and output of `lqe mcp`. A client may end its requests before it reads the answers, as a shell does.
 */
import type { Readable, Writable } from 'node:stream';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';

/** Its answer ends a subscription, and comes at the end of the connection only. */
const SUBSCRIBE = 'subscriptions/listen';

/** Closes after the requests that have arrived are answered, unless the output is closed. */
export class DrainingTransport extends StdioServerTransport {
  private readonly unanswered = new Set<unknown>();
  private closing: Promise<void> | null = null;
  private onAnswered: () => void = () => undefined;

  constructor(input: Readable = process.stdin, output: Writable = process.stdout) {
    super(input, output);
    output.once('error', () => {
      this.unanswered.clear();
      this.onAnswered();
    });
  }

  override async start(): Promise<void> {
    const deliver = this.onmessage;
    this.onmessage = (message) => {
      this.note(message);
      deliver?.(message);
    };
    await super.start();
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    try {
      await super.send(message);
    } finally {
      if (!('method' in message)) this.settle(message.id);
    }
  }

  override close(): Promise<void> {
    return (this.closing ??= this.drain());
  }

  private async drain(): Promise<void> {
    if (this.unanswered.size > 0) await new Promise<void>((resolve) => (this.onAnswered = resolve));
    await super.close();
  }

  private note(message: JSONRPCMessage): void {
    if (!('method' in message)) return;
    if ('id' in message && message.method !== SUBSCRIBE) this.unanswered.add(message.id);
    if (message.method === 'notifications/cancelled') this.settle(message.params?.['requestId']);
  }

  private settle(id: unknown): void {
    this.unanswered.delete(id);
    if (this.unanswered.size === 0) this.onAnswered();
  }
}
