/** Sources of a running server. */
import { z } from 'zod';
import { sourceSchema } from '#contract/events/source';
import type { Terminal } from '../output/terminal';
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

const changedSchema = z.object({ result: ownerSchema });

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
  /** @param revision that is replaced; null: the source is created. @returns the new revision */
  store(name: string, yaml: string, revision: number | null, message: string | undefined): Promise<number>;
  /** @param deletesEvents whether its events are deleted, too */
  remove(name: string, revision: number, deletesEvents: boolean, message: string | undefined): Promise<void>;
}

export function createRemoteSources(client: ManagementClient): RemoteSources {
  return {
    list: async () => {
      const { body } = await client.send({ method: 'GET', path: ['api', 'sources'] });
      return parse(z.object({ result: z.array(listedSchema) }), body).result;
    },
    read: async (name) => {
      try {
        const { body } = await client.send({ method: 'GET', path: ['api', 'sources', name] });
        return parse(z.object({ result: readSchema }), body).result;
      } catch (error) {
        if (error instanceof ManagementError && error.code === 'source_not_found') return null;
        throw error;
      }
    },
    store: async (name, yaml, revision, message) => {
      const { body } = await client.send({
        method: 'PUT',
        path: ['api', 'sources', name],
        headers: revision === null ? { 'If-None-Match': '*' } : { 'If-Match': `"${revision}"` },
        body: { yaml, message },
      });
      return parse(changedSchema, body).result.revision ?? 1;
    },
    remove: async (name, revision, deletesEvents, message) => {
      await client.send({
        method: 'DELETE',
        path: ['api', 'sources', name],
        query: { events: deletesEvents ? 'delete' : 'keep' },
        headers: { 'If-Match': `"${revision}"` },
        ...(message === undefined ? {} : { body: { message } }),
      });
    },
  };
}

/** @throws ManagementError for an answer that is not one of this service */
function parse<T>(schema: z.ZodType<T>, body: unknown): T {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new ManagementError('The answer of the server has another form: is the version of lqe that of the server?');
}
