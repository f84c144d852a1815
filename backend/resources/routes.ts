/** Routes of the resources. */
import type { Instance } from '../instances/instance';
import type { CallContext } from '../service-client/service-client';
import { listFunctions } from './functions';
import { validateText } from './validate-text';

export interface ResourceCall {
  readonly instance: Instance;
  readonly ctx: CallContext;
  /** Second segment of the path, decoded. */
  readonly argument: string;
  /** The parsed body. */
  readonly body: () => unknown;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export interface ResourceRoute {
  readonly method: 'GET' | 'POST';
  /** First segment of the path. */
  readonly path: string;
  readonly takesArgument: boolean;
  readonly handle: (call: ResourceCall) => Promise<object>;
}

export const resourceRoutes: readonly ResourceRoute[] = [
  {
    method: 'GET',
    path: 'endpoints',
    takesArgument: false,
    handle: async ({ instance, ctx }) => ({ endpoints: await instance.client.listEndpoints(ctx) }),
  },
  {
    method: 'GET',
    path: 'endpoints',
    takesArgument: true,
    handle: ({ instance, ctx, argument }) => instance.client.readEndpoint(argument, ctx),
  },
  { method: 'POST', path: 'validate', takesArgument: false, handle: validateText },
  { method: 'GET', path: 'functions', takesArgument: false, handle: () => Promise.resolve(listFunctions()) },
];
