import { fitConnections, readOpenFilesLimit } from '#server/app/lifecycle/open-files';
import { envToConfig, readEnv } from '#server/config';

const fit = (limit: number | null, settings: Record<string, string> = {}) => {
  const { config, warning } = fitConnections(envToConfig(readEnv(settings)), limit);
  return { http: config.http.maxConnections, syslog: config.syslog.maxConnections, warning };
};

it('all connections of the settings are taken where the process may open as many files', () => {
  for (const limit of [null, 1_048_576, 4096 + 128]) expect(fit(limit)).toMatchObject({ http: 4096, warning: null });
});

it('a low limit of open files leaves room for files and databases, and the warning says what to do', () => {
  expect(fit(1024)).toMatchObject({
    http: 896,
    warning: expect.stringMatching(
      /may open 1024 files, .* at most 896 connections, not 4096 .* Raise the limit/
    ) as string,
  });
  expect(fit(1024, { LQE_MAX_CONNECTIONS: '500' })).toMatchObject({ http: 500, warning: null });
  expect(fit(20).http).toBe(10);
});

it('syslog senders and HTTP clients share a low limit', () => {
  expect(fit(1024, { LQE_SYSLOG_FILE: '/x.yaml' })).toMatchObject({
    http: 448,
    syslog: 448,
    warning: expect.stringContaining('448 of syslog senders, not 1024') as string,
  });
});

it('the limit of this process is known on Linux', () => {
  if (process.platform === 'linux') expect(readOpenFilesLimit()).toBeGreaterThan(0);
});
