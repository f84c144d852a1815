import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ALIASES } from '#contract/routes/aliases';
import { ERROR_CODES, type ErrorCode } from '#contract/errors';
import { ROUTES } from '#contract/routes/routes';
import { SENDER_FORMATS } from '#contract/routes/sender-formats';
import { CLIENT_VARIABLES, SETTINGS } from '#contract/settings';
import { SCOPES } from '#contract/tokens/token';
import { aliasRow, errorRowStart, routeRow, settingRow } from '../support/docs/table-rows';

const doc = (name: string) => readFileSync(join(__dirname, '../../docs', name), 'utf8');
const rows = (text: string, start: RegExp) => text.split('\n').filter((line) => start.test(line));

describe('docs/settings.md', () => {
  const text = doc('settings.md');

  it.each(SETTINGS.map((setting) => [setting.name, setting] as const))(
    'describes %s as contract/settings.ts does',
    (_name, setting) => {
      expect(rows(text, /^\| `LQE_/)).toContain(settingRow(setting));
    }
  );

  it('lists no other setting, and keeps their order', () => {
    const named = [...text.matchAll(/LQE_\w+/g)].map(([name]) => name).filter((name) => name !== 'LQE_');
    const known: readonly string[] = [...SETTINGS, ...CLIENT_VARIABLES].map((setting) => setting.name);
    expect(named.filter((name) => !known.includes(name))).toEqual([]);
    expect(rows(text, /^\| `LQE_/).map((row) => /LQE_\w+/.exec(row)?.[0])).toEqual(known);
  });

  it.each(CLIENT_VARIABLES)('describes the client variable $name', ({ name, description }) => {
    expect(rows(text, /^\| `LQE_/)).toContain(`| \`${name}\` | ${description} |`);
  });
});

describe('docs/errors.md', () => {
  const found = rows(doc('errors.md'), /^\| \d/);

  it.each(Object.entries(ERROR_CODES))(
    'describes the code %s as contract/errors.ts does, and says what to do',
    (code, facts) => {
      const start = `${errorRowStart(code as ErrorCode, facts)} | `;
      const row = found.find((line) => line.startsWith(start));
      expect(row?.slice(start.length)).toMatch(/\w.* \|$/);
    }
  );

  it('lists no other code, and keeps their order', () => {
    expect(found.map((row) => /`(\w+)`/.exec(row)?.[1])).toEqual(Object.keys(ERROR_CODES));
  });
});

describe('docs/http-api.md', () => {
  const text = doc('http-api.md');

  it('lists the routes of contract/routes/routes.ts, and no other', () => {
    expect(rows(text, /^\| (GET|POST|QUERY|PUT|PATCH|DELETE)/)).toEqual(ROUTES.map(routeRow));
  });

  it('lists the aliases of contract/routes/aliases.ts, and no other', () => {
    const [, section = ''] = text.split('## Aliases');
    expect(rows(section.split('\n## ')[0]!, /^\| `\//)).toEqual(ALIASES.map(aliasRow));
  });

  it('has no path that is not a route or an alias', () => {
    const paths = [...text.matchAll(/(?<!\w)\/(?:api|health|v1|loki)\/[\w/{}.-]*/g)].map(([path]) =>
      path.replace(/[.,]$/, '')
    );
    const known: readonly string[] = [...ROUTES, ...ALIASES].map(({ path }) => path);
    const isKnown = (path: string) =>
      known.some((route) => new RegExp(`^${route.replace(/\{\w+\}/g, '[^/]+')}$`).test(path));
    expect(paths.filter((path) => !isKnown(path))).toEqual([]);
  });

  it('lists every scope', () => {
    for (const scope of SCOPES) expect(text).toContain(`\`${scope}\``);
  });
});

it('docs/shippers.md lists the forms of contract/routes/sender-formats.ts, in their order', () => {
  const [, section = ''] = doc('shippers.md').split('\n## Log drains and webhooks\n');
  const found = rows(section.split('\n## ')[0]!, /^\| `[a-z-]+` \|/);
  expect(
    found.map((row) =>
      row
        .split('|')
        .slice(1, 3)
        .map((cell) => cell.trim())
    )
  ).toEqual(Object.entries(SENDER_FORMATS).map(([name, purpose]) => [`\`${name}\``, purpose]));
});

it('no document has an unknown error code', () => {
  const codes: readonly string[] = Object.keys(ERROR_CODES);
  for (const name of ['http-api.md', 'settings.md']) {
    const named = [...doc(name).matchAll(/\b[45]\d\d `([a-z_]+)`/g)].map((match) => match[1]!);
    expect(named.filter((code) => !codes.includes(code))).toEqual([]);
  }
});
