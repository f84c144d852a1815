/** Saved queries of a server, over its HTTP API. Each method throws `ManagementError` when the server refuses. */
import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { SavedQuery } from '#contract/saved-query';
import { sentId } from '../../../catalog/saved-queries/definition-text';
import { type ManagementClient, ManagementError, type ManagementRequest } from '../../management-client';
import { printable } from '../terminal';
import {
  type ChangedRevision,
  changedSchema,
  type ListedQuery,
  listedSchema,
  pageOf,
  resultOf,
  type Revision,
  revisionSchema,
  type RevisionText,
  revisionTextSchema,
  type ServedQuery,
  servedSchema,
} from './answers';

export interface RemoteQueries {
  /** All saved queries that the token sees, by name. */
  list(): Promise<readonly ListedQuery[]>;
  read(idOrName: string): Promise<ServedQuery>;
  /** Newest first. @param limit maximum number */
  history(idOrName: string, limit?: number): Promise<readonly Revision[]>;
  revision(idOrName: string, revision: number): Promise<RevisionText>;
  /** Compiles a definition without storing it. */
  validate(definition: SavedQuery): Promise<void>;
  /** @throws ManagementError `revision_conflict` or `name_taken` when it exists */
  create(text: string, message: string | undefined): Promise<ChangedRevision>;
  /** @param revision the one that the text was made from; a newer one is `revision_conflict` */
  replace(id: string, revision: number, text: string, message: string | undefined): Promise<ChangedRevision>;
  remove(id: string, revision: number, message: string | undefined): Promise<void>;
  restore(idOrName: string, revision: number, message: string | undefined): Promise<ChangedRevision>;
}

const PAGE_SIZE = '100';
const MAX_PAGES = 2000;
const BASE = ['api', 'endpoints'] as const;

export function createRemoteQueries(client: ManagementClient): RemoteQueries {
  async function send<T extends z.ZodType>(schema: T, request: ManagementRequest): Promise<z.infer<T>> {
    const { body } = await client.send(request).catch((error: unknown) => {
      throw error instanceof ManagementError ? safeToPrint(error) : error;
    });
    const parsed = schema.safeParse(body);
    if (parsed.success) return parsed.data;
    throw unexpectedAnswer(request);
  }

  async function pages<T extends z.ZodType>(item: T, path: readonly string[], limit = Number.POSITIVE_INFINITY) {
    const items: z.infer<T>[] = [];
    const seen = new Set<string>();
    for (let cursor: string | null = ''; cursor !== null && items.length < limit;) {
      // A cursor that comes back would never end.
      if (seen.has(cursor) || seen.size >= MAX_PAGES) throw unexpectedAnswer({ method: 'GET', path });
      seen.add(cursor);
      const query: Record<string, string> = { limit: PAGE_SIZE, ...(cursor === '' ? {} : { cursor }) };
      const page: { result: z.infer<T>[]; next_cursor: string | null } = await send(pageOf(item), {
        method: 'GET',
        path,
        query,
      });
      items.push(...page.result);
      cursor = page.next_cursor;
    }
    return items;
  }

  async function revision(idOrName: string, number: number): Promise<RevisionText> {
    const path = [...BASE, idOrName, 'revisions', String(number)];
    return (await send(resultOf(revisionTextSchema), { method: 'GET', path })).result;
  }

  async function change(request: ManagementRequest): Promise<ChangedRevision> {
    return (await send(resultOf(changedSchema), request)).result;
  }

  async function replace(id: string, from: number, text: string, message?: string): Promise<ChangedRevision> {
    const body = { yaml: text, message };
    try {
      return await change({ method: 'PUT', path: [...BASE, id], body, headers: ifMatch(from) });
    } catch (error) {
      // The answer to the first attempt may have been lost.
      if (!isConflict(error) || error.details['revision'] !== from + 1) throw error;
      const next = await revision(id, from + 1);
      if (next.yaml !== text) throw error;
      return next;
    }
  }

  return {
    list: () => pages(listedSchema, BASE),
    read: async (idOrName) => (await send(resultOf(servedSchema), { method: 'GET', path: [...BASE, idOrName] })).result,
    history: (idOrName, limit) => pages(revisionSchema, [...BASE, idOrName, 'revisions'], limit),
    revision,
    validate: async (definition) => {
      await client
        .send({ method: 'POST', path: [...BASE, 'validate'], body: { definition } })
        .catch((error: unknown) => {
          throw error instanceof ManagementError ? safeToPrint(error) : error;
        });
    },
    create: (text, message) => {
      const id = sentId(text);
      const body = { yaml: text, message };
      // An id of a saved query that was deleted continues its history, which POST does not.
      return id === undefined
        ? change({ method: 'POST', path: BASE, body, headers: { 'Idempotency-Key': randomUUID() } })
        : change({ method: 'PUT', path: [...BASE, id], body, headers: { 'If-None-Match': '*' } });
    },
    replace,
    remove: async (id, from, message) => {
      const body = { message };
      await client
        .send({ method: 'DELETE', path: [...BASE, id], body, headers: ifMatch(from) })
        .catch((error: unknown) => {
          throw error instanceof ManagementError ? safeToPrint(error) : error;
        });
    },
    restore: (idOrName, number, message) =>
      change({
        method: 'POST',
        path: [...BASE, idOrName, 'revisions', String(number), 'restore'],
        body: { message },
        headers: { 'Idempotency-Key': randomUUID() },
      }),
  };
}

/** The saved query was changed, or created, by another request. */
export function isConflict(error: unknown): error is ManagementError {
  return error instanceof ManagementError && error.code === 'revision_conflict';
}

function ifMatch(revision: number): Readonly<Record<string, string>> {
  return { 'If-Match': `"${revision}"` };
}

function safeToPrint({ message, status, code, details, cause }: ManagementError): ManagementError {
  return new ManagementError(printable(message), { status, code, details }, { cause });
}

function unexpectedAnswer({ method, path }: Pick<ManagementRequest, 'method' | 'path'>): ManagementError {
  return new ManagementError(
    `The answer to ${method} /${path.map(encodeURIComponent).join('/')} is not one of this service. Check the URL.`
  );
}
