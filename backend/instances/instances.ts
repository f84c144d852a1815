/** Instances of data sources. One process serves all data sources of all organizations. */
import type { DataSourceInstanceSettings, PluginContext } from '../proto/messages';
import { readClientSettings } from '../service-client/client-settings';
import type { Environment } from '../service-client/dispatcher';
import { PluginError } from '../service-client/plugin-error';
import { createInstance, type Instance } from './instance';

export interface Instances {
  /** @throws PluginError `settings_invalid` */
  get(context: PluginContext | null): Instance;
  close(): Promise<void>;
}

/** Time for calls with the previous settings to complete; none takes longer. */
const CLOSE_DELAY_MS = 60_000;

interface Entry {
  readonly version: string;
  readonly instance: Instance;
}

/** @param env contains the settings of proxies */
export function createInstances(env: Environment, closeDelayMs = CLOSE_DELAY_MS): Instances {
  const entries = new Map<string, Entry>();

  function retire({ instance }: Entry): void {
    setTimeout(() => void instance.close(), closeDelayMs).unref();
  }

  return {
    get: (context) => {
      const source = context?.dataSourceInstanceSettings;
      if (!context || !source)
        throw new PluginError('settings_invalid', 'Grafana sent no settings of a data source.', { status: 400 });
      // Uids are unique per organization only.
      const key = `${context.orgId}/${source.uid}`;
      const version = versionOf(source, context.grafanaConfig);
      const known = entries.get(key);
      if (known?.version === version) return known.instance;
      const entry = {
        version,
        instance: createInstance(readClientSettings(source), { ...env, ...context.grafanaConfig }),
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

function versionOf(source: DataSourceInstanceSettings, grafanaConfig: Readonly<Record<string, string>>): string {
  const config = Object.entries(grafanaConfig).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([source.lastUpdatedMs, source.url, config]);
}
