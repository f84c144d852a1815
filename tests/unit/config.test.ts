import { SETTINGS } from '#contract/settings';
import { type ConfigError, envToConfig, readEnv } from '#server/config';

function problemsOf(variables: Record<string, string>): readonly string[] {
  try {
    readEnv(variables);
    return [];
  } catch (error) {
    return (error as ConfigError).problems;
  }
}

it('an empty environment gives the default settings', () => {
  const config = envToConfig(readEnv({ PATH: '/bin', LQE_TOKEN: 'of the command line' }));
  expect(config.listen).toEqual({ host: '127.0.0.1', port: 8080 });
  expect(config.http).toMatchObject({ maxUrlBytes: 16_384, maxHeaderBytes: 32_768, maxQueryBodyBytes: 262_144 });
  expect(config.bootstrapToken).toBeNull();
});

it('an empty setting counts as not set', () => {
  expect(readEnv({ LQE_PORT: '', LQE_BOOTSTRAP_TOKEN: '' })).toMatchObject({
    LQE_PORT: 8080,
    LQE_BOOTSTRAP_TOKEN: null,
  });
});

it('each setting reaches the configuration', () => {
  const marked = Object.fromEntries(
    SETTINGS.map((setting, index) => [setting.name, setting.type === 'integer' ? 900_000 + index : `marked-${index}`])
  ) as never;
  const flat = JSON.stringify(envToConfig(marked));
  for (const [index, setting] of SETTINGS.entries()) {
    // One of two words, or the other.
    if (setting.name === 'LQE_STORE') continue;
    // In bytes.
    if (setting.name === 'LQE_CLICKHOUSE_MAX_WAITING_MB') continue;
    // A list.
    if (setting.name === 'LQE_CORS_ORIGINS') continue;
    expect([
      setting.name,
      flat.includes(setting.type === 'integer' ? String(900_000 + index) : `"marked-${index}"`),
    ]).toEqual([setting.name, true]);
  }
});

it.each([
  ['LQE_PORT', '80a', 'LQE_PORT: must be a whole number from 0 to 65535, not "80a"'],
  ['LQE_PORT', '65536', 'LQE_PORT: must be a whole number from 0 to 65535, not "65536"'],
  ['LQE_PORT', '-1', 'LQE_PORT: must be a whole number from 0 to 65535, not "-1"'],
  ['LQE_PORT', '1e3', 'LQE_PORT: must be a whole number from 0 to 65535, not "1e3"'],
  ['LQE_STORE', 'sqlite', 'LQE_STORE: must be "duckdb" or "clickhouse", not "sqlite"'],
  [
    'LQE_CLICKHOUSE_URL',
    'http://me:secret@host',
    'LQE_CLICKHOUSE_URL: must be a URL like https://clickhouse:8443, without user and password',
  ],
  [
    'LQE_CLICKHOUSE_URL',
    'http://host:99999',
    'LQE_CLICKHOUSE_URL: must be a URL like https://clickhouse:8443, without user and password',
  ],
  [
    'LQE_CACHE_URL',
    'redis://:pass/word@host:6379/0',
    'LQE_CACHE_URL: must be a URL like redis://:password@host:6379/0, with special characters of the password as %XX',
  ],
  ['LQE_CLICKHOUSE_DATABASE', 'a`b', 'LQE_CLICKHOUSE_DATABASE: must be a letter, then letters, digits and underscores'],
  ['LQE_BOOTSTRAP_TOKEN', 'tooshort', 'LQE_BOOTSTRAP_TOKEN: must have at least 20 characters'],
  [
    'LQE_BOOTSTRAP_TOKEN',
    'with a blank in the middle',
    'LQE_BOOTSTRAP_TOKEN: must be visible ASCII characters without blanks',
  ],
  [
    'LQE_CLICKHOUSE_READ_PASSWORD',
    'read',
    'LQE_CLICKHOUSE_READ_PASSWORD: must be set with LQE_CLICKHOUSE_READ_USER, the user whose password it is',
  ],
  ['LQE_HOST', 'a\nb', 'LQE_HOST: must not hold line breaks or NUL'],
  ['LQE_PROT', '80', 'LQE_PROT: there is no such setting; did you mean LQE_PORT?'],
  ['LQE_SOMETHING_ELSE_ALTOGETHER', '1', 'LQE_SOMETHING_ELSE_ALTOGETHER: there is no such setting'],
])('%s=%j is refused with the name of the setting', (name, value, problem) => {
  expect(problemsOf({ [name]: value })).toEqual([problem]);
});

it.each([
  '*',
  'https://*.example',
  'https://app.example/',
  'https://app.example:443',
  'https://APP.example',
  'https://me@app.example',
  'app.example',
  'null',
  'file:///tmp',
  'https://app.example,*',
  'https://app.example,',
  'https://app.example https://b.example',
])('LQE_CORS_ORIGINS=%j is refused at the start', (value) => {
  expect(problemsOf({ LQE_CORS_ORIGINS: value })).toEqual([
    expect.stringMatching(/^LQE_CORS_ORIGINS: must be origins/),
  ]);
});

it('CORS origins are read one by one', () => {
  const { corsOrigins } = envToConfig(readEnv({ LQE_CORS_ORIGINS: 'https://app.example, http://[::1]:3000' }));
  expect(corsOrigins).toEqual(['https://app.example', 'http://[::1]:3000']);
});

it('all wrong settings are reported at once, without their secrets', () => {
  const problems = problemsOf({ LQE_PORT: 'x', LQE_LOG_LEVEL: 'loud', LQE_BOOTSTRAP_TOKEN: 'my secret' });
  expect(problems).toHaveLength(3);
  expect(problems.join()).not.toContain('my secret');
});
