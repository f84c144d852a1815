/** Routes of the resources. */
import type { Instance } from '../instances/instance';
import type { User } from '../proto/messages';
import { composeDefinition } from '../saving/compose-definition';
import { listRevisions } from '../saving/list-revisions';
import { readAccess } from '../saving/read-access';
import { createSavedQuery, replaceSavedQuery } from '../saving/save-definition';
import type { CallContext } from '../service-client/service-client';
import { listFunctions } from './functions';
import { validateText } from './validate-text';

export interface ResourceCall {
  readonly instance: Instance;
  readonly ctx: CallContext;
  /** The segment `*` of the path, decoded. */
  readonly argument: string;
  readonly query: URLSearchParams;
  /** The user of the session in Grafana; null: no user. */
  readonly user: User | null;
  /** The user's organization in Grafana. */
  readonly orgId: number;
  /** The parsed body. */
  readonly body: () => unknown;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** A random id. */
  readonly newId: () => string;
}

export interface ResourceRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  /** Segments joined by slashes; `*` is the argument. */
  readonly path: string;
  readonly handle: (call: ResourceCall) => Promise<object>;
}

export const resourceRoutes: readonly ResourceRoute[] = [
  {
    method: 'GET',
    path: 'endpoints',
    handle: async ({ instance, ctx }) => ({ endpoints: await instance.client.listEndpoints(ctx) }),
  },
  { method: 'POST', path: 'endpoints', handle: createSavedQuery },
  {
    method: 'GET',
    path: 'endpoints/*',
    handle: ({ instance, ctx, argument }) => instance.client.readEndpoint(argument, ctx),
  },
  { method: 'PUT', path: 'endpoints/*', handle: replaceSavedQuery('PUT') },
  { method: 'PATCH', path: 'endpoints/*', handle: replaceSavedQuery('PATCH') },
  { method: 'GET', path: 'endpoints/*/revisions', handle: listRevisions },
  { method: 'POST', path: 'compose', handle: composeDefinition },
  { method: 'GET', path: 'access', handle: readAccess },
  { method: 'POST', path: 'validate', handle: validateText },
  { method: 'GET', path: 'functions', handle: () => Promise.resolve(listFunctions()) },
];
