/** Instances of data sources. One process serves all data sources of all organizations. */
import type { PluginContext } from '../proto/messages';
import { MAX_TIMEOUT_SECONDS, readClientSettings } from '../service-client/client-settings';
import type { Environment } from '../service-client/connection/environment';
import { PluginError } from '../service-client/failures/plugin-error';
import { createInstance, type Instance } from './instance';
import { createRecentBytes } from './recent-bytes';

export interface Instances {
  /** @throws PluginError `settings_invalid` */
  get(context: PluginContext | null): Instance;
  close(): Promise<void>;
}

/** Time for calls with the previous settings to complete, those that wait for a permit or for a retry included. */
const CLOSE_DELAY_MS = 3 * MAX_TIMEOUT_SECONDS * 1000;

interface Entry {
  readonly version: Version;
  readonly instance: Instance;
}

/** An instance is replaced when one of these differs. */
interface Version {
  readonly lastUpdatedMs: number;
  readonly url: string;
  readonly grafanaConfig: Readonly<Record<string, string>>;
}

/** @param env contains the settings of proxies */
export function createInstances(env: Environment): Instances {
  const entries = new Map<string, Entry>();
  const recent = createRecentBytes();

  function retire({ instance }: Entry): void {
    setTimeout(() => void instance.close(), CLOSE_DELAY_MS).unref();
  }

  return {
    get: (context) => {
      const source = context?.dataSourceInstanceSettings;
      if (!context || !source)
        throw new PluginError('settings_invalid', 'Grafana sent no settings of a data source.', { status: 400 });
      // Uids are unique per organization only.
      const key = `${context.orgId}/${source.uid}`;
      const version = { lastUpdatedMs: source.lastUpdatedMs, url: source.url, grafanaConfig: context.grafanaConfig };
      const known = entries.get(key);
      if (known && isSameVersion(known.version, version)) return known.instance;
      const entry = {
        version,
        instance: createInstance(
          readClientSettings(source),
          { ...env, ...context.grafanaConfig },
          { unify: (call, bytes) => recent.unify(`${key} ${call}`, bytes) }
        ),
      };
      if (known) retire(known);
      entries.set(key, entry);
      return entry.instance;
    },
    close: async () => {
      await Promise.all([...entries.values()].map(({ instance }) => instance.close()));
      entries.clear();
    },
  };
}

function isSameVersion(a: Version, b: Version): boolean {
  return a.lastUpdatedMs === b.lastUpdatedMs && a.url === b.url && areSame(a.grafanaConfig, b.grafanaConfig);
}

/** Grafana sends its settings in any order. */
function areSame(a: Version['grafanaConfig'], b: Version['grafanaConfig']): boolean {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name]);
}
