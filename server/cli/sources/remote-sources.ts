/** Sources of a running server. */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { sourceSchema } from '#contract/events/source';
import type { Terminal } from '../output/terminal';
import { resultOf, type Revision, revisionSchema, type RevisionText, revisionTextSchema } from '../remote/answers';
import { CheckedClient } from '../remote/checked-client';
import { type ManagementClient, ManagementError } from '../remote/management-client';

const ownerSchema = z.object({ origin: z.enum(['file', 'api']), revision: z.int().nullable() });

const listedSchema = ownerSchema.extend({
  name: z.string(),
  description: z.string(),
  retention_days: z.int(),
  events: z.int(),
  newest_event: z.string().nullable(),
});
export type ListedSource = z.infer<typeof listedSchema>;

/** Later versions may add fields. */
const readSchema = z.object(sourceSchema.shape).extend(ownerSchema.shape).extend({ yaml: z.string().optional() });
export type ReadSource = z.infer<typeof readSchema>;

const changedSchema = z.object({ name: z.string(), revision: z.int().min(1) });
export type ChangedSource = z.infer<typeof changedSchema>;

/** What the commands work with. */
export interface SourcesContext {
  readonly remote: RemoteSources;
  readonly terminal: Terminal;
}

/** Methods throw ManagementError. */
export interface RemoteSources {
  /** As the server describes them. */
  list(): Promise<readonly ListedSource[]>;
  /** @returns null when there is no such source */
  read(name: string): Promise<ReadSource | null>;
  /** Newest first; of a deleted source, too. */
  history(name: string): Promise<readonly Revision[]>;
  revision(name: string, revision: number): Promise<RevisionText>;
  /** @param revision that is replaced; null: the source is created */
  store(name: string, yaml: string, revision: number | null, message: string | undefined): Promise<ChangedSource>;
  restore(name: string, revision: number, message: string | undefined): Promise<ChangedSource>;
  /** @param deletesEvents whether its events are deleted, too */
  remove(name: string, revision: number, deletesEvents: boolean, message: string | undefined): Promise<void>;
}

const BASE = ['api', 'sources'] as const;

export function createRemoteSources(client: ManagementClient): RemoteSources {
  const remote = new CheckedClient(client);
  return {
    list: async () => (await remote.send(resultOf(z.array(listedSchema)), { method: 'GET', path: BASE })).result,
    read: async (name) => {
      try {
        return (await remote.send(resultOf(readSchema), { method: 'GET', path: [...BASE, name] })).result;
      } catch (error) {
        if (error instanceof ManagementError && error.code === 'source_not_found') return null;
        throw error;
      }
    },
    history: (name) => remote.pages(revisionSchema, [...BASE, name, 'revisions']),
    revision: async (name, number) => {
      const path = [...BASE, name, 'revisions', String(number)];
      return (await remote.send(resultOf(revisionTextSchema), { method: 'GET', path })).result;
    },
    store: async (name, yaml, revision, message) => {
      const { result } = await remote.send(resultOf(changedSchema), {
        method: 'PUT',
        path: [...BASE, name],
        headers: revision === null ? { 'If-None-Match': '*' } : { 'If-Match': `"${revision}"` },
        body: { yaml, message },
      });
      return result;
    },
    restore: async (name, number, message) => {
      const { result } = await remote.send(resultOf(changedSchema), {
        method: 'POST',
        path: [...BASE, name, 'revisions', String(number), 'restore'],
        headers: { 'Idempotency-Key': randomUUID() },
        body: { message },
      });
      return result;
    },
    remove: async (name, revision, deletesEvents, message) => {
      await remote.sendOnly({
        method: 'DELETE',
        path: [...BASE, name],
        query: { events: deletesEvents ? 'delete' : 'keep' },
        headers: { 'If-Match': `"${revision}"` },
        ...(message === undefined ? {} : { body: { message } }),
      });
    },
  };
}
