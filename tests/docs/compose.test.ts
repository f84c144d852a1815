/** docker-compose.yml matches the settings, and contains no secret. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Route } from '#contract/routes/route';
import { ROUTES } from '#contract/routes/routes';
import { CLIENT_VARIABLES, SETTINGS } from '#contract/settings';
import type { Scope } from '#contract/tokens/token';
import { versionProblem } from '#server/stores/clickhouse/connection/version';

const ROOT = join(__dirname, '../..');
const text = readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8');

interface Service {
  readonly image?: string;
  readonly profiles?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly build?: unknown;
  readonly stop_grace_period?: string;
  readonly ports?: readonly string[];
  readonly volumes?: readonly (string | { readonly type: string; readonly source: string })[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string; readonly required?: boolean }>>;
}

const { services, volumes } = parse(text, { merge: true }) as {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, null>>;
};
const all = Object.entries(services);

/**
 * As Compose does it, in values, before it looks at profiles.
 *
 * @returns the texts, and what had to be there and was not
 */
function interpolate(variables: Readonly<Record<string, string>>): { texts: string[]; asked: string[] } {
  const asked: string[] = [];
  const fill = (value: string): string =>
    value.replace(
      /\$\$|\$\{(\w+)(?:(:?[-?+])([^}]*))?\}|\$(\w+)/g,
      (whole, braced?: string, operator?: string, word = '', bare?: string) => {
        if (whole === '$$') return '$';
        const name = (braced ?? bare)!;
        const given = variables[name] ?? '';
        if (operator === ':-') return given || word;
        if (operator !== undefined) throw new Error(`${whole}: this test does not know ${operator}`);
        if (variables[name] === undefined) asked.push(name);
        return given;
      }
    );
  const walk = (value: unknown): string[] =>
    typeof value === 'string'
      ? [fill(value)]
      : typeof value === 'object' && value !== null
        ? Object.values(value).flatMap(walk)
        : [];
  return { texts: walk(parse(text, { merge: true })), asked };
}

async function secrets(
  variables: Readonly<Record<string, string>>,
  ...args: string[]
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const script = join(ROOT, 'scripts', 'compose', 'secrets.mjs');
  const child = spawn(process.execPath, [script, ...args], { env: variables, stdio: ['ignore', 'pipe', 'pipe'] });
  const written = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (written.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (written.stderr += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...written };
}

const OWN = {
  STORES_PASSWORD: 'Vn3kq8ZtR5wLx2Gd7Bmy',
  LQE_SERVER_KEY: '0123456789abcdef'.repeat(4),
  LQE_BOOTSTRAP_TOKEN: 'hG5-tR8_qW2.zX9+pL4=',
};

it('docker compose starts without any variable set', () => {
  const { texts, asked } = interpolate({});
  expect(asked).toEqual([]);
  expect(texts).toContain('haproxy:3.2.23');
});

it('no secret has a default, and .env.example lists them all', () => {
  const secret = /PASSWORD|TOKEN|KEY|AUTH|CATALOG_URL|CACHE_URL/;
  const given = all.flatMap(([, { environment = {} }]) =>
    Object.entries(environment).filter(([name]) => secret.test(name) && !name.endsWith('__FILE'))
  );
  expect(given.length).toBeGreaterThan(10);
  for (const [, value] of given)
    expect(value).toMatch(/^(postgres:\/\/lqe:|redis:\/\/:)?\$\{[A-Z_]+:-\}(@[a-z]+:\d+\/\w+)?$/);
  const named = new Set([...text.matchAll(/\$\{([A-Z_]+):-\}/g)].map(([, name]) => name!));
  const listed = readFileSync(join(ROOT, '.env.example'), 'utf8')
    .split('\n')
    .filter((line) => /^[A-Z_]+=/.test(line));
  expect(listed.map((line) => line.replace(/=$/, '')).sort()).toEqual([...named].sort());
});

describe('the secrets of the profile `clickhouse`', () => {
  it('are checked before any of its containers start', () => {
    const needs = (name: string): boolean => {
      const { depends_on = {} } = services[name]!;
      return Object.entries(depends_on).some(
        ([other, { condition }]) =>
          (other === 'shared-secrets' && condition === 'service_completed_successfully') || needs(other)
      );
    };
    const profile = all.filter(([name, { profiles }]) => profiles && name !== 'shared-secrets').map(([name]) => name);
    expect(profile).toContain('redis');
    expect(profile.filter((name) => !needs(name))).toEqual([]);
    expect(services['shared-secrets']).toMatchObject({
      entrypoint: ['node', 'scripts/compose/secrets.mjs'],
      command: ['check'],
      environment: Object.fromEntries(Object.keys(OWN).map((name) => [name, `\${${name}:-}`])),
    });
  });

  it('are accepted when they are set', async () => {
    expect(await secrets(OWN, 'check')).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it.each([
    ['nothing', {}, 'STORES_PASSWORD is empty; LQE_SERVER_KEY is empty; LQE_BOOTSTRAP_TOKEN is empty.'],
    ['an empty one', { ...OWN, LQE_SERVER_KEY: '' }, 'LQE_SERVER_KEY is empty.'],
    ['a short one', { ...OWN, STORES_PASSWORD: 'Vn3kq8ZtR5wLx2' }, 'STORES_PASSWORD must be 20 letters'],
    ['what a URL cannot hold', { ...OWN, STORES_PASSWORD: `${OWN.STORES_PASSWORD}@` }, 'STORES_PASSWORD must be 20'],
    ['zeros', { ...OWN, LQE_SERVER_KEY: '0'.repeat(64) }, 'LQE_SERVER_KEY can be guessed.'],
    ['passwords', { ...OWN, STORES_PASSWORD: 'password'.repeat(3) }, 'STORES_PASSWORD can be guessed.'],
  ])('are refused in one line: %s', async (_what, variables, words) => {
    const { code, stdout, stderr } = await secrets(variables, 'check');
    expect([code, stdout, stderr.trim().split('\n')]).toEqual([1, '', [expect.stringContaining(words)]]);
    for (const secret of Object.values(variables)) if (secret) expect(stderr).not.toContain(secret);
  });
});

describe('the secrets of the plain profile', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lqe-compose-'));
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
  afterAll(() => rmSync(folder, { recursive: true }));

  it('are made once, printed only on request, and replaced by those of .env', async () => {
    const first = await secrets({}, 'make', folder);
    const [token, password] = [read('access-token'), read('grafana-admin-password')];
    expect([first.code, token, password]).toEqual([
      0,
      expect.stringMatching(/^[0-9a-f]{64}$/),
      expect.not.stringMatching(token),
    ]);
    expect(first.stdout + first.stderr).not.toMatch(`${token}|${password}`);
    await secrets({}, 'make', folder);
    expect([read('access-token'), read('grafana-admin-password')]).toEqual([token, password]);
    expect((await secrets({}, 'show', folder)).stdout).toBe(
      `Access token: ${token}\nPassword of Grafana's user admin: ${password}\n`
    );
    await secrets({ LQE_BOOTSTRAP_TOKEN: OWN.LQE_BOOTSTRAP_TOKEN, GRAFANA_ADMIN_PASSWORD: '' }, 'make', folder);
    expect([read('access-token'), read('grafana-admin-password')]).toEqual([OWN.LQE_BOOTSTRAP_TOKEN, password]);
  });

  it('are in a folder that containers of other users may enter', async () => {
    chmodSync(folder, 0o700);
    await secrets({}, 'make', folder);
    expect(statSync(folder).mode & 0o777).toBe(0o755);
  });

  it('are refused when they can be guessed', async () => {
    const { code, stderr } = await secrets({ GRAFANA_ADMIN_PASSWORD: 'admin' }, 'make', folder);
    expect([code, stderr]).toEqual([1, expect.stringContaining('GRAFANA_ADMIN_PASSWORD must be 8')]);
  });

  it('are made before the containers that read them start', () => {
    const readers = all.filter(([, { volumes = [] }]) => volumes.includes('secrets:/run/secrets:ro'));
    expect(readers.map(([name]) => name)).toEqual(['server', 'demo-events', 'grafana', 'prometheus']);
    for (const [, { depends_on = {} }] of readers)
      expect(depends_on['secrets']).toMatchObject({ condition: 'service_completed_successfully' });
  });
});

it('each container has as much time to stop as its server needs', () => {
  const defaultOf = (name: string): number => Number(SETTINGS.find((setting) => setting.name === name)!.default);
  const drainMs = defaultOf('LQE_DRAIN_DELAY_MS') + defaultOf('LQE_DRAIN_TIMEOUT_MS');
  for (const name of ['server', 'server-1', 'server-2', 'balancer'])
    expect(parseInt(services[name]!.stop_grace_period!, 10) * 1000).toBeGreaterThan(drainMs + 10_000);
});

it('our own containers cannot write outside their volumes, nor gain rights', () => {
  const own = all.filter(([, { build }]) => build === '.');
  expect(own.map(([name]) => name)).toContain('server-2');
  for (const [, service] of own)
    expect(service).toMatchObject({
      init: true,
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
});

it('each variable with the prefix LQE_ is a setting of the service', () => {
  const known = [...SETTINGS, ...CLIENT_VARIABLES].map(({ name }) => name as string);
  const own = ['LQE_URL', 'LQE_API_KEY'];
  const named = all.flatMap(([, { environment = {} }]) => Object.keys(environment));
  expect(named.filter((name) => name.startsWith('LQE_') && ![...known, ...own].includes(name))).toEqual([]);
});

it('images have versions, and ports are open to this machine only', () => {
  for (const [, { image, ports = [] }] of all) {
    if (image !== undefined) expect(image).toMatch(/:\$\{[A-Z]+_VERSION:-v?\d[\d.]*\}$/);
    for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
  }
});

it('the ClickHouse version has no known hole that runs code without a password', () => {
  expect(versionProblem(/CLICKHOUSE_VERSION:-([\d.]+)/.exec(text)![1]!)).toBeNull();
});

it('no container outside a profile needs a container inside it', () => {
  for (const [name, { profiles = [], depends_on = {} }] of all)
    for (const [other, { required }] of Object.entries(depends_on)) {
      expect(services[other]).toBeDefined();
      const isOutside = (services[other]!.profiles ?? []).some((profile) => !profiles.includes(profile));
      expect([name, other, isOutside && required !== false]).toEqual([name, other, false]);
    }
});

it('all mounted files and volumes exist', () => {
  for (const [, service] of all)
    for (const mount of service.volumes ?? []) {
      const source = typeof mount === 'string' ? mount.split(':')[0]! : mount.source;
      // The plugin is built before.
      if (source.startsWith('./')) expect(source === './dist' || existsSync(join(ROOT, source))).toBe(true);
      else expect(Object.keys(volumes)).toContain(source);
    }
});

it('the balancer lists the servers by name, and checks whether they are ready', () => {
  const balancer = readFileSync(join(ROOT, 'provisioning/balancer/haproxy.cfg'), 'utf8');
  const backends = balancer.split(/^backend /m).slice(1);
  expect(backends.map((text) => text.split('\n')[0])).toEqual(['servers', 'any']);
  const servers = all.filter(([, { environment }]) => environment?.LQE_STORE === 'clickhouse').map(([name]) => name);
  for (const backend of backends) {
    const named = [...backend.matchAll(/^ {4}server (\S+) (\S+):8080$/gm)].map(([, name, host]) => [name, host]);
    expect(named).toEqual(servers.filter((name) => name.startsWith('server-')).map((name) => [name, name]));
  }
  expect(backends[0]).toContain('uri /health/ready');
  expect(backends[1]).not.toContain('check');
});

it('the balancer does not send a change to a second server when the first one has ended without an answer', () => {
  const balancer = readFileSync(join(ROOT, 'provisioning/balancer/haproxy.cfg'), 'utf8');
  const [, beginnings = ''] = /^ {4}acl of_changes path_beg (.+)$/m.exec(balancer) ?? [];
  const changing: readonly unknown[] = ['endpoints:write', 'sources:write', 'tokens:admin'] satisfies Scope[];
  const routes: readonly Route[] = ROUTES;
  const changes = routes.filter(
    ({ methods, scope }) => changing.includes(scope) && methods.some((method) => method !== 'GET')
  );
  expect(changes.length).toBeGreaterThan(10);
  for (const { path } of changes)
    expect([path, beginnings.split(' ').some((start) => path.startsWith(start))]).toEqual([path, true]);
  expect(balancer).toMatch(/^ {4}http-request disable-l7-retry if of_changes !of_queries !METH_GET$/m);
});
