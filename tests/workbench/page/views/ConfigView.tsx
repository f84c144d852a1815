import React, { useState } from 'react';
import type { DataSourceApi, DataSourcePlugin, DataSourceSettings } from '@grafana/data';
import { Alert, Button } from '@grafana/ui';
import { deepFreeze } from '../host/deep-freeze';

interface Props {
  readonly plugin: DataSourcePlugin<never>;
  readonly datasource: DataSourceApi;
  readonly settings: DataSourceSettings;
}

interface Told {
  readonly status: string;
  readonly message: string;
  readonly verbose?: string;
}

/** Grafana's settings page: the plugin's editor, and “Save & test”, which keeps the settings and asks for the health. */
export function ConfigView({ plugin, datasource, settings }: Props) {
  const [options, setOptions] = useState(() => deepFreeze(settings));
  const [told, setTold] = useState<Told>();
  const Editor = plugin.components.ConfigEditor!;
  const save = async () => {
    await fetch('/workbench/settings', { method: 'PUT', body: JSON.stringify(options) });
    const configured = Object.keys(options.secureJsonData ?? {}).map((key) => [key, true] as const);
    setOptions({
      ...options,
      secureJsonData: {},
      secureJsonFields: { ...options.secureJsonFields, ...Object.fromEntries(configured) },
    });
    setTold(await test(datasource));
  };
  return (
    <>
      <Editor options={options as never} onOptionsChange={(next: DataSourceSettings) => setOptions(deepFreeze(next))} />
      {told && (
        <Alert severity={told.status === 'success' ? 'success' : 'error'} title={told.message}>
          {told.verbose}
        </Alert>
      )}
      <Button onClick={() => void save()}>Save &amp; test</Button>
    </>
  );
}

async function test(datasource: DataSourceApi): Promise<Told> {
  try {
    return await datasource.testDatasource();
  } catch (thrown) {
    const { message, details } = thrown as { message: string; details?: { verboseMessage?: string } };
    return { status: 'error', message, verbose: details?.verboseMessage };
  }
}
