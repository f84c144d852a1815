/** Saved queries of a server, over its HTTP API. Each method throws `ManagementError` when the server refuses. */
import { randomUUID } from 'node:crypto';
import type { SavedQuery } from '#contract/queries/saved-query';
import { sentId } from '../../../catalog/saved-queries/definition-text';
import { type ManagementClient, ManagementError, type ManagementRequest } from '../../management-client';
import {
  type ChangedRevision,
  changedSchema,
  type ListedQuery,
  listedSchema,
  resultOf,
  type Revision,
  revisionSchema,
  type RevisionText,
  revisionTextSchema,
  type ServedQuery,
  servedSchema,
} from './answers';
import { CheckedClient } from './checked-client';

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

const BASE = ['api', 'endpoints'] as const;

export function createRemoteQueries(client: ManagementClient): RemoteQueries {
  const remote = new CheckedClient(client);

  async function revision(idOrName: string, number: number): Promise<RevisionText> {
    const path = [...BASE, idOrName, 'revisions', String(number)];
    return (await remote.send(resultOf(revisionTextSchema), { method: 'GET', path })).result;
  }

  async function change(request: ManagementRequest): Promise<ChangedRevision> {
    return (await remote.send(resultOf(changedSchema), request)).result;
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
    list: () => remote.pages(listedSchema, BASE),
    read: async (idOrName) =>
      (await remote.send(resultOf(servedSchema), { method: 'GET', path: [...BASE, idOrName] })).result,
    history: (idOrName, limit) => remote.pages(revisionSchema, [...BASE, idOrName, 'revisions'], limit),
    revision,
    validate: async (definition) => {
      await remote.sendOnly({ method: 'POST', path: [...BASE, 'validate'], body: { definition } });
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
      await remote.sendOnly({ method: 'DELETE', path: [...BASE, id], body: { message }, headers: ifMatch(from) });
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
