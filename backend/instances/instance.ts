/** One version of a data source's configuration, with its client, its semaphore and its running calls. */
import type { PluginOptions } from '#contract/plugin/options';
import type { ClientSettings } from '../service-client/client-settings';
import { createDispatcher } from '../service-client/connection/dispatcher';
import type { Environment } from '../service-client/connection/environment';
import { createSemaphore } from '../service-client/calls/semaphore';
import { type CallContext, type QueryAnswer, type QueryCall, ServiceClient } from '../service-client/service-client';
import { createSingleFlight } from '../service-client/calls/single-flight';
import type { RecentBytes } from './recent-bytes';

export interface Instance {
  readonly client: ServiceClient;
  readonly settings: ClientSettings;
  readonly options: PluginOptions;
  /** Runs a query. Equal concurrent calls share one run; the number of concurrent runs is limited. */
  query(call: QueryCall, ctx: CallContext): Promise<QueryAnswer>;
  /** Removes the data source's secrets from a text, also where they are written as in JSON. */
  readonly scrub: (text: string) => string;
  close(): Promise<void>;
}

/** Maximum number of concurrent calls. The service runs four queries of a token at once and queues sixteen. */
const MAX_CALLS = 8;

export function createInstance(settings: ClientSettings, env: Environment, recent: RecentBytes): Instance {
  const client = new ServiceClient(settings, createDispatcher(settings, env));
  const semaphore = createSemaphore(MAX_CALLS);
  const flights = createSingleFlight<QueryAnswer>();
  const hidden = settings.secrets.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]);

  async function run(call: QueryCall, key: string, ctx: CallContext): Promise<QueryAnswer> {
    const permit = semaphore.acquire(ctx.signal, ctx.isUrgent);
    if (permit) await permit;
    try {
      const answer = await client.query(call, ctx);
      return isFromCache(answer) ? { ...answer, arrow: recent.unify(key, answer.arrow) } : answer;
    } finally {
      semaphore.release(ctx.isUrgent);
    }
  }

  return {
    client,
    settings,
    options: settings.options,
    query: (call, ctx) => {
      const key = JSON.stringify(call);
      // An urgent call does not join a run that waits behind others.
      const flight = `${key} ${JSON.stringify([ctx.forwarded, ctx.isUrgent === true])}`;
      return flights.run(flight, ctx.signal, (signal) => run(call, key, { ...ctx, signal }));
    },
    scrub: (text) => hidden.reduce((rest, secret) => rest.replaceAll(secret, '[hidden]'), text),
    close: () => client.close(),
  };
}

/** Responses that the service has not made for this call are often those of the call before. */
function isFromCache({ cacheStatus }: QueryAnswer): boolean {
  return cacheStatus?.includes('; hit') === true;
}
