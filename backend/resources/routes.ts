/** Routes of the resources. */
import { composeDefinition } from '../saving/compose-definition';
import { listRevisions } from '../saving/list-revisions';
import { readAccess } from '../saving/read-access';
import { createSavedQuery, replaceSavedQuery } from '../saving/save-definition';
import { listFunctions } from './functions';
import type { ResourceCall } from './resource-call';
import { validateText } from './validate-text';

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
