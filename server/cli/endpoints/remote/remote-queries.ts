/** Saved queries of a server, over its HTTP API. Each method throws `ManagementError` when the server refuses. */
import { randomUUID } from 'node:crypto';
import type { SavedQuery } from '#contract/queries/saved-query';
import { sentField } from '../../../catalog/revisions/yaml-text';
import { resultOf, type Revision, revisionSchema, type RevisionText, revisionTextSchema } from '../../remote/answers';
import { CheckedClient } from '../../remote/checked-client';
import { type ManagementClient, ManagementError, type ManagementRequest } from '../../remote/management-client';
import {
  type ChangedRevision,
  changedSchema,
  type ListedQuery,
  listedSchema,
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
  /** Resolves also when there is no such saved query any more. */
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
      if (!isConflict(error) || error.details['revision'] !== from + 1) throw error;
      return storedBefore(id, from + 1, text, error);
    }
  }

  /** The revision, when an earlier attempt has stored it whose answer was lost. @throws the conflict */
  async function storedBefore(id: string, number: number, text: string, conflict: Error): Promise<ChangedRevision> {
    const stored = await revision(id, number);
    if (stored.yaml !== text) throw conflict;
    return stored;
  }

  /** An id of a saved query that was deleted continues its history, which POST does not. */
  async function createWithId(id: string, text: string, message?: string): Promise<ChangedRevision> {
    const body = { yaml: text, message };
    try {
      return await change({ method: 'PUT', path: [...BASE, id], body, headers: { 'If-None-Match': '*' } });
    } catch (error) {
      const present = isConflict(error) ? error.details['revision'] : undefined;
      if (typeof present !== 'number') throw error;
      return storedBefore(id, present, text, error as ManagementError);
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
      const id = sentField(text, 'id');
      if (id !== undefined) return createWithId(id, text, message);
      const headers = { 'Idempotency-Key': randomUUID() };
      return change({ method: 'POST', path: BASE, body: { yaml: text, message }, headers });
    },
    replace,
    remove: async (id, from, message) => {
      try {
        await remote.sendOnly({ method: 'DELETE', path: [...BASE, id], body: { message }, headers: ifMatch(from) });
      } catch (error) {
        // Deleted already, perhaps by the first attempt of this request.
        if (!(error instanceof ManagementError) || error.code !== 'endpoint_not_found') throw error;
      }
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

/** The change may have been made: its answer is lost, or comes from a proxy or a server that failed on the way. */
export function isOutcomeUnknown({ status }: ManagementError): boolean {
  return status === null || status >= 500;
}

function ifMatch(revision: number): Readonly<Record<string, string>> {
  return { 'If-Match': `"${revision}"` };
}
