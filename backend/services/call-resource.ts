/** CallResource: the editor's HTTP API (`contract/plugin/resources.ts`). */
import { randomUUID } from 'node:crypto';
import type { ResourceError } from '#contract/plugin/resources';
import type { CallResourceRequest, CallResourceResponse } from '../proto/messages';
import { resourceRoutes } from '../resources/routes';
import { PluginError } from '../service-client/failures/plugin-error';
import type { BackendContext } from './backend-context';
import { callContext, flatHeaders, type GrpcCall } from './call-context';
import { renderFailure, scrubbedJson } from './render-failure';

const MAX_BODY_BYTES = 262_144;

export async function callResource(
  backend: BackendContext,
  request: CallResourceRequest,
  call: GrpcCall
): Promise<CallResourceResponse> {
  let scrub: ((text: string) => string) | undefined;
  try {
    const { handle, argument } = findRoute(request);
    const instance = backend.instances.get(request.pluginContext);
    scrub = instance.scrub;
    const ctx = callContext(call, instance, flatHeaders(request.headers));
    return respond(
      200,
      await handle({
        instance,
        ctx,
        argument,
        query: queryOf(request.url),
        user: request.pluginContext?.user ?? null,
        orgId: request.pluginContext?.orgId ?? 0,
        body: () => readBody(request.body),
        now: backend.now,
        newId: randomUUID,
      })
    );
  } catch (error) {
    const { status, resource } = renderFailure(error, backend.logger, scrub);
    return respond(status, { error: resource satisfies ResourceError }, scrub);
  }
}

function findRoute({ method, path }: CallResourceRequest): {
  handle: (typeof resourceRoutes)[number]['handle'];
  argument: string;
} {
  const segments = path.split('/').filter((segment) => segment !== '');
  const fits = resourceRoutes.filter((route) => {
    const wanted = route.path.split('/');
    return wanted.length === segments.length && wanted.every((part, at) => part === '*' || part === segments[at]);
  });
  if (fits.length === 0) throw new PluginError('route_not_found', 'There is no such resource.', { status: 404 });
  const route = fits.find((one) => one.method === method);
  if (!route)
    throw new PluginError('method_not_allowed', `The resource ${segments[0]} does not take ${method}.`, {
      status: 405,
    });
  return { handle: route.handle, argument: decodeSegment(segments[1] ?? '') };
}

function queryOf(url: string): URLSearchParams {
  const start = url.indexOf('?');
  return new URLSearchParams(start === -1 ? '' : url.slice(start + 1));
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new PluginError('encoding_invalid', 'The path is not valid percent-encoded text.', { status: 400 });
  }
}

function readBody(bytes: Uint8Array): unknown {
  if (bytes.length > MAX_BODY_BYTES)
    throw new PluginError('body_too_large', `The body has more than ${MAX_BODY_BYTES} bytes.`, { status: 413 });
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch {
    throw new PluginError('body_invalid', 'The body is not valid JSON.', { status: 400 });
  }
}

function respond(code: number, body: object, scrub = (text: string) => text): CallResourceResponse {
  return {
    code,
    headers: { 'Content-Type': { values: ['application/json'] }, 'Cache-Control': { values: ['no-store'] } },
    body: Buffer.from(scrubbedJson(body, scrub)),
  };
}
