/** Requests to a server whose answers are checked: their shape, and that their messages can be printed. */
import type { z } from 'zod';
import { type ManagementClient, ManagementError, type ManagementRequest } from './management-client';
import { printable } from '../output/terminal';
import { pageOf } from './answers';

const PAGE_SIZE = '100';
const MAX_PAGES = 2000;

/** Each method throws `ManagementError` when the server refuses, or answers with another shape. */
export class CheckedClient {
  constructor(private readonly client: ManagementClient) {}

  async send<T extends z.ZodType>(schema: T, request: ManagementRequest): Promise<z.infer<T>> {
    const parsed = schema.safeParse(await this.sendOnly(request));
    if (parsed.success) return parsed.data;
    throw unexpectedAnswer(request);
  }

  /** Sends a request whose answer says nothing but that it was done. @returns the body, as it came */
  async sendOnly(request: ManagementRequest): Promise<unknown> {
    try {
      return (await this.client.send(request)).body;
    } catch (error) {
      throw error instanceof ManagementError ? safeToPrint(error) : error;
    }
  }

  /** Items of all pages of a list. @param limit number of items after which no further page is read */
  async pages<T extends z.ZodType>(
    item: T,
    path: readonly string[],
    limit = Number.POSITIVE_INFINITY
  ): Promise<z.infer<T>[]> {
    const items: z.infer<T>[] = [];
    const seen = new Set<string>();
    for (let cursor: string | null = ''; cursor !== null && items.length < limit;) {
      // A cursor that comes back would never end.
      if (seen.has(cursor) || seen.size >= MAX_PAGES) throw unexpectedAnswer({ method: 'GET', path });
      seen.add(cursor);
      const query: Record<string, string> = { limit: PAGE_SIZE, ...(cursor === '' ? {} : { cursor }) };
      const page: { result: z.infer<T>[]; next_cursor: string | null } = await this.send(pageOf(item), {
        method: 'GET',
        path,
        query,
      });
      items.push(...page.result);
      cursor = page.next_cursor;
    }
    return items;
  }
}

function safeToPrint({ message, status, code, details, cause }: ManagementError): ManagementError {
  return new ManagementError(printable(message), { status, code, details }, { cause });
}

function unexpectedAnswer({ method, path }: Pick<ManagementRequest, 'method' | 'path'>): ManagementError {
  return new ManagementError(
    `The answer to ${method} /${path.map(encodeURIComponent).join('/')} is not one of this service. Check the URL.`
  );
}
