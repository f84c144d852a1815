import React, { useState } from 'react';
import type { DataSourceApi, DataSourcePlugin, DataSourceSettings } from '@grafana/data';
import { Alert, Button } from '@grafana/ui';
import { deepFreeze } from '../host/deep-freeze';

interface Props {
  readonly plugin: DataSourcePlugin<never>;
  readonly datasource: DataSourceApi;
  readonly settings: DataSourceSettings;
}

interface Outcome {
  readonly status: string;
  readonly message: string;
  readonly verbose?: string;
}

/**
 * Grafana's settings page: the plugin's editor, and “Save & test”, which keeps the settings and asks for the health.
 */
export function ConfigView({ plugin, datasource, settings }: Props) {
  const [options, setOptions] = useState(() => deepFreeze(settings));
  const [outcome, setOutcome] = useState<Outcome>();
  const Editor = plugin.components.ConfigEditor!;
  const save = async () => {
    await fetch('/workbench/settings', { method: 'PUT', body: JSON.stringify(options) });
    const configured = Object.keys(options.secureJsonData ?? {}).map((key) => [key, true] as const);
    setOptions({
      ...options,
      secureJsonData: {},
      secureJsonFields: { ...options.secureJsonFields, ...Object.fromEntries(configured) },
    });
    setOutcome(await test(datasource));
  };
  return (
    <>
      <Editor options={options as never} onOptionsChange={(next: DataSourceSettings) => setOptions(deepFreeze(next))} />
      {outcome && (
        <Alert severity={outcome.status === 'success' ? 'success' : 'error'} title={outcome.message}>
          {outcome.verbose}
        </Alert>
      )}
      <Button onClick={() => void save()}>Save &amp; test</Button>
    </>
  );
}

async function test(datasource: DataSourceApi): Promise<Outcome> {
  try {
    return await datasource.testDatasource();
  } catch (thrown) {
    const { message, details } = thrown as { message: string; details?: { verboseMessage?: string } };
    return { status: 'error', message, verbose: details?.verboseMessage };
  }
}
