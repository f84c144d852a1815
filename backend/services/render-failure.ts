/** Renders failures for Grafana, the only place where errors become text: no secrets and no internals of a bug. */
import type { ResourceError } from '#contract/plugin/resources';
import type { Logger } from '../plugin-protocol/log';
import { textOf } from '../plugin-protocol/log';
import { PluginError } from '../service-client/failures/plugin-error';

export interface RenderedFailure {
  readonly status: number;
  readonly source: 'downstream' | 'plugin';
  readonly userMessage: string;
  /** The caller must make its JSON by `scrubbedJson`. */
  readonly resource: ResourceError;
}

/** @param scrub removes the data source's secrets from a text */
export function renderFailure(
  error: unknown,
  logger: Logger,
  scrub: (text: string) => string = (text) => text
): RenderedFailure {
  const failure = toPluginError(error);
  const source = failure.facts.source ?? 'downstream';
  // Canceled queries are normal: a dashboard cancels many.
  if (failure.code !== 'cancelled')
    logger.log(source === 'plugin' ? 'error' : 'info', scrub(source === 'plugin' ? textOf(error) : failure.message), {
      code: failure.code,
      status: failure.facts.status,
      requestId: failure.facts.requestId,
    });
  return {
    status: failure.facts.status,
    source,
    userMessage: scrub(failure.userMessage),
    resource: failure.toResource(),
  };
}

/** JSON without secrets in its texts. Numbers and codes stay: a header of the value `1000` has secret digits, too. */
export function scrubbedJson(value: object, scrub: (text: string) => string): string {
  return JSON.stringify(value, (key, inner: unknown) =>
    typeof inner === 'string' && key !== 'code' ? scrub(inner) : inner
  );
}

function toPluginError(error: unknown): PluginError {
  if (error instanceof PluginError) return error;
  if (error instanceof Error && error.name === 'AbortError')
    return new PluginError('cancelled', 'The query was cancelled.', { status: 499 });
  return new PluginError('internal', 'Something went wrong in the data source; its log in Grafana says what.', {
    status: 500,
    source: 'plugin',
    cause: error,
  });
}
