/** docker-compose.yml says what the settings say, and gives nothing away. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { CLIENT_VARIABLES, SETTINGS } from '#contract/settings';

const ROOT = join(__dirname, '../..');
const text = readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8');

interface Service {
  readonly image?: string;
  readonly profiles?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string; readonly required?: boolean }>>;
}

const { services, volumes } = parse(text, { merge: true }) as {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, null>>;
};
const all = Object.entries(services);

it('every secret comes from the environment, and its absence is said', () => {
  const secrets = all.flatMap(([, { environment = {} }]) =>
    Object.entries(environment).filter(([name]) => /PASSWORD|TOKEN|KEY|AUTH|CATALOG_URL|CACHE_URL/.test(name))
  );
  expect(secrets.length).toBeGreaterThan(10);
  for (const [, value] of secrets)
    expect(value).toMatch(/^(postgres:\/\/lqe:|redis:\/\/:)?\$\{[A-Z_]+:\?[^}]+\}(@[a-z]+:\d+\/\w+)?$/);
  const wanted = new Set([...text.matchAll(/\$\{([A-Z_]+):\?/g)].map(([, name]) => name!));
  const told = readFileSync(join(ROOT, '.env.example'), 'utf8')
    .split('\n')
    .filter((line) => /^[A-Z_]+=/.test(line));
  expect(told.map((line) => line.replace(/=$/, '')).sort()).toEqual([...wanted].sort());
});

it('every setting is one of the service', () => {
  const known = [...SETTINGS, ...CLIENT_VARIABLES].map(({ name }) => name as string);
  const own = ['LQE_URL', 'LQE_API_KEY'];
  const named = all.flatMap(([, { environment = {} }]) => Object.keys(environment));
  expect(named.filter((name) => name.startsWith('LQE_') && ![...known, ...own].includes(name))).toEqual([]);
});

it('images have versions, and only this machine reaches the ports', () => {
  for (const [, { image, ports = [] }] of all) {
    if (image !== undefined) expect(image).toMatch(/:\$\{[A-Z]+_VERSION:-\d[\d.]*\}$/);
    for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
  }
});

it('ClickHouse is one that nobody runs code in without a password', () => {
  const version = /CLICKHOUSE_VERSION:-([\d.]+)/.exec(text)![1]!.split('.').map(Number);
  const [year, month, ...patch] = version as [number, number, number, number];
  const fixed: Record<string, readonly [number, number]> = {
    '26.3': [62, 3],
    '26.8': [36, 3],
    '26.9': [27, 3],
    '26.10': [3, 7],
  };
  const [least, build] = fixed[`${year}.${month}`]!;
  expect(patch[0] > least || (patch[0] === least && patch[1]! >= build)).toBe(true);
});

it('what belongs to a profile is needed by nothing outside it', () => {
  for (const [name, { profiles = [], depends_on = {} }] of all)
    for (const [other, { required }] of Object.entries(depends_on)) {
      expect(services[other]).toBeDefined();
      const isOutside = (services[other]!.profiles ?? []).some((profile) => !profiles.includes(profile));
      expect([name, other, isOutside && required !== false]).toEqual([name, other, false]);
    }
});

it('files and volumes that are mounted are there', () => {
  for (const [, service] of all)
    for (const mount of service.volumes ?? []) {
      const [source] = mount.split(':') as [string];
      // The plugin is built before.
      if (source.startsWith('./')) expect(source === './dist' || existsSync(join(ROOT, source))).toBe(true);
      else expect(Object.keys(volumes)).toContain(source);
    }
});

it('the balancer knows the servers by name, and asks whether they are ready', () => {
  const balancer = readFileSync(join(ROOT, 'provisioning/balancer/haproxy.cfg'), 'utf8');
  const named = [...balancer.matchAll(/^ {4}server (\S+) (\S+):8080$/gm)].map(([, name, host]) => [name, host]);
  const servers = all.filter(([, { environment }]) => environment?.LQE_STORE === 'clickhouse').map(([name]) => name);
  expect(named).toEqual(servers.filter((name) => name.startsWith('server-')).map((name) => [name, name]));
  expect(balancer).toContain('uri /health/ready');
});
