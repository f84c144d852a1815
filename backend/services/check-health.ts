/**
 * CheckHealth: "Save & test". Distinguishes a wrong URL, a wrong token, a missing scope and an outdated service, and
 * lists the endpoints.
 */
import type { Instance } from '../instances/instance';
import { type CheckHealthRequest, type CheckHealthResponse, HEALTH_STATUS } from '../proto/messages';
import { PluginError } from '../service-client/failures/plugin-error';
import type { CallContext } from '../service-client/service-client';
import type { BackendContext } from './backend-context';
import { callContext, type GrpcCall } from './call-context';
import { renderFailure, scrubbedJson } from './render-failure';

/** The first version with every route that the plugin calls. */
const OLDEST_SERVICE = '0.1.0';
const SHOWN_ENDPOINTS = 10;

export async function checkHealth(
  backend: BackendContext,
  request: CheckHealthRequest,
  call: GrpcCall
): Promise<CheckHealthResponse> {
  let scrub: ((text: string) => string) | undefined;
  try {
    const instance = backend.instances.get(request.pluginContext);
    scrub = instance.scrub;
    const ctx = callContext(call, instance, request.headers);
    const version = await checkVersion(instance, ctx);
    const names = (await instance.client.listEndpoints(ctx)).map(({ name }) => name);
    await instance.client.checkMayQuery(ctx);
    if (names.length === 0)
      throw new PluginError('endpoint_not_found', 'The service answers, but its access token sees no endpoint.', {
        status: 404,
        hint: 'make a token that may see some: lqe token create --help',
      });
    return answer(HEALTH_STATUS.ok, `Connected to the log query service ${version}. ${namesText(names)}`, {
      version,
      endpoints: names,
    });
  } catch (error) {
    const { userMessage, resource } = renderFailure(error, backend.logger, scrub);
    // The message is left out of the details, because Grafana shows both.
    return answer(
      HEALTH_STATUS.error,
      userMessage,
      { ...resource, message: undefined, verboseMessage: causeOf(error) },
      scrub
    );
  }
}

async function checkVersion({ client, settings }: Instance, ctx: CallContext): Promise<string> {
  const version = await client.version(ctx).catch((error: unknown) => {
    // The service has our error format but lacks a route that exists since the oldest supported version.
    if (error instanceof PluginError && error.code === 'route_not_found')
      throw wrongPath(settings.url) ?? tooOld('unknown');
    if (
      error instanceof PluginError &&
      error.code === 'not_the_service' &&
      CONSOLE.test(new URL(settings.url).pathname)
    )
      throw wrongPath(settings.url) ?? error;
    throw error;
  });
  if (isOlder(version, OLDEST_SERVICE)) throw tooOld(version);
  return version;
}

/** The service sends a page for each path of its console. */
const CONSOLE = /\/console(?:\/|$)/;

/** @returns undefined for a URL without a path */
function wrongPath(url: string): PluginError | undefined {
  const { host, pathname } = new URL(url);
  if (pathname === '/') return undefined;
  return new PluginError('not_the_service', `The service at ${host} has nothing at the path ${pathname} of the URL.`, {
    status: 502,
    hint: 'the URL of the data source is that of the service, without the path of a route',
  });
}

function tooOld(version: string): PluginError {
  return new PluginError(
    'service_too_old',
    `The log query service is too old (version ${version}); this plugin needs ${OLDEST_SERVICE} or newer.`,
    { status: 502 }
  );
}

export function isOlder(version: string, than: string): boolean {
  const [a, b] = [version, than].map((text) => text.split(/[-+]/)[0]!.split('.').map(Number));
  const differs = b!.findIndex((part, index) => (a![index] ?? 0) !== part);
  return differs !== -1 && (a![differs] ?? 0) < b![differs]!;
}

function namesText(names: readonly string[]): string {
  const shown = names.slice(0, SHOWN_ENDPOINTS).join(', ');
  const more = names.length > SHOWN_ENDPOINTS ? ` and ${names.length - SHOWN_ENDPOINTS} more` : '';
  return `${names.length} ${names.length === 1 ? 'endpoint' : 'endpoints'}: ${shown}${more}.`;
}

function answer(status: number, message: string, details: object, scrub = (text: string) => text): CheckHealthResponse {
  return { status, message, jsonDetails: Buffer.from(scrubbedJson(details, scrub)) };
}

function causeOf(error: unknown): string | undefined {
  const cause = error instanceof PluginError ? error.facts.cause : undefined;
  return cause instanceof Error ? cause.message || cause.name : undefined;
}
