/**
 * Every query of the provisioned dashboards and alert rules, run as Grafana would run it, over the events of the demo.
 *
 * @slow 25
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { PLUGIN_ID } from '#contract/plugin/plugin';
import { pluginQuerySchema } from '#contract/plugin/query';
import { interpolateQuery } from '../../../src/query/interpolate';
import { decodeFrame } from '../support/decode-frame';
import { type DemoService, startDemoService } from '../support/demo-service';
import { intervalMsOf } from '../support/panel-interval';
import { type PluginHost, startPlugin } from '../support/plugin-host';

const FOLDER = path.join(__dirname, '../../../provisioning');
const read = (file: string) => readFileSync(path.join(FOLDER, file), 'utf8');

type Target = { readonly refId: string; readonly datasource: Panel['datasource']; readonly format: string } & Record<
  string,
  unknown
>;

interface Panel {
  readonly title: string;
  readonly description: string;
  readonly type: string;
  readonly datasource: { readonly type: string; readonly uid: string };
  readonly maxDataPoints?: number;
  readonly interval?: keyof typeof MIN_INTERVAL_MS;
  readonly targets: readonly Target[];
  readonly fieldConfig: {
    readonly defaults: {
      readonly unit?: string;
      readonly min?: number;
      readonly decimals?: number;
      readonly noValue?: string;
      readonly links?: readonly { url: string }[];
      readonly custom?: {
        readonly drawStyle?: string;
        readonly lineWidth?: number;
        readonly stacking?: { readonly mode: string };
      };
    };
    readonly overrides: readonly {
      matcher: { options: string };
      properties: readonly { id: string; value: unknown }[];
    }[];
  };
}

interface Variable {
  readonly name: string;
  readonly type: string;
  readonly query: unknown;
  readonly options?: readonly { readonly value: string }[];
  readonly current: { readonly value?: string | readonly string[] };
}

interface Dashboard {
  readonly uid: string;
  readonly title: string;
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly Variable[] };
}

const dashboards = readdirSync(path.join(FOLDER, 'dashboards/json')).map(
  (file) => JSON.parse(read(`dashboards/json/${file}`)) as Dashboard
);
const allPanels = dashboards.flatMap((dashboard) =>
  dashboard.panels.map((panel) => ({ name: `${dashboard.title}: ${panel.title}`, dashboard, panel }))
);
const panels = allPanels.filter(({ panel }) => panel.datasource.type === PLUGIN_ID);

interface Rule {
  readonly title: string;
  readonly condition: string;
  readonly noDataState: string;
  readonly data: readonly {
    readonly refId: string;
    readonly datasourceUid: string;
    readonly relativeTimeRange: { readonly from: number; readonly to: number };
    readonly model: Record<string, unknown> & { conditions?: { evaluator: { type: 'gt' | 'lt'; params: [number] } }[] };
  }[];
}
const { groups } = parse(read('alerting/rules.yaml')) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);

let host: PluginHost;
let demo: DemoService;

beforeAll(async () => {
  [host, demo] = await Promise.all([startPlugin(), startDemoService()]);
}, 180_000);

afterAll(async () => {
  await host.stop();
  await demo.stop();
});

/** As the browser fills in variables before it sends a query; macros are left for the backend. */
function filledIn(target: Target, { templating }: Dashboard): object {
  const values = new Map(templating.list.map((variable) => [variable.name, valueOf(variable)]));
  return interpolateQuery(target as unknown as Parameters<typeof interpolateQuery>[0], {
    replace: (text, _vars, format) =>
      text.replace(/\$\{(\w+)(?::\w+)?\}|\$(\w+)/g, (whole, braced?: string, bare?: string) => {
        const value = values.get((braced ?? bare)!);
        return value === undefined ? whole : format(value);
      }),
    scopedVars: {},
    patterns: [],
  });
}

function valueOf({ current, options = [] }: Variable): unknown {
  const isAll = Array.isArray(current.value) && current.value[0] === '$__all';
  return isAll ? options.map(({ value }) => value).filter((value) => value !== '$__all') : (current.value ?? '');
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const RANGES = [
  ['1 h', HOUR_MS],
  ['24 h', DAY_MS],
  ['7 d', 7 * DAY_MS],
] as const;
const MIN_INTERVAL_MS = { none: 0, '5m': 300_000 };
/** Notice of log lines: the query itself asks for the newest only. */
const EXPECTED_NOTICE = /^Only the first \d+ rows are shown, as the query asks\.$|^From the cache of the service/;

describe.each(RANGES)('dashboard panels in the last %s', (_range, lengthMs) => {
  test.each(panels)('$name has rows, and none are missing', async ({ dashboard, panel }) => {
    const to = Date.now();
    const maxDataPoints = panel.maxDataPoints ?? 800;
    const intervalMs = Math.max(intervalMsOf(lengthMs, maxDataPoints), MIN_INTERVAL_MS[panel.interval ?? 'none']);
    const asked = { from: to - lengthMs, to, maxDataPoints, intervalMs };
    for (const target of panel.targets) {
      const query = filledIn(target, dashboard);
      const answer = (await host.query(demo.source, [{ refId: target.refId, query, ...asked }]))[target.refId]!;
      expect({ error: answer.error, status: answer.status }).toEqual({ error: '', status: 200 });
      const frame = decodeFrame(answer.frames[0]!);
      expect((frame.meta.notices ?? []).filter(({ text }) => !EXPECTED_NOTICE.test(text))).toEqual([]);
      // A panel that says what "nothing" means may be empty: an hour without errors.
      if (panel.fieldConfig.defaults.noValue === undefined || lengthMs > DAY_MS)
        expect(frame.length).toBeGreaterThan(0);
    }
  });
});

/**
 * Rates and percentiles of a handful of requests jump from bucket to bucket, and those of a bucket that has just begun
 * say nothing.
 */
test.each(panels.filter(({ panel }) => isLineChart(panel)))(
  '$name has buckets of five minutes in an hour, and none that has just begun or ends just after the start',
  async ({ dashboard, panel }) => {
    expect(panel).toMatchObject({ interval: '5m', fieldConfig: { defaults: { custom: { spanNulls: false } } } });
    const stepMs = MIN_INTERVAL_MS['5m'];
    const bucketMs = Math.floor(Date.now() / stepMs) * stepMs - 2 * stepMs;
    const timesIn = async (from: number, to: number) => {
      const query = filledIn(panel.targets[0]!, dashboard);
      const asked = { refId: 'A', query, from, to, maxDataPoints: 120, intervalMs: stepMs };
      const frame = decodeFrame((await host.query(demo.source, [asked]))['A']!.frames[0]!);
      return frame.fields[0]!.values.map((nanos) => Number(BigInt(nanos as bigint) / 1_000_000n));
    };
    const hour = 12 * stepMs;
    expect(await timesIn(bucketMs - hour, bucketMs + stepMs / 5)).not.toContain(bucketMs);
    expect((await timesIn(bucketMs - hour + (4 * stepMs) / 5, bucketMs)).at(0)).not.toBe(bucketMs - hour);
    expect((await timesIn(bucketMs - hour, bucketMs + (4 * stepMs) / 5)).length).toBeGreaterThan(6);
  }
);

test.each(panels.filter(({ panel }) => panel.type === 'timeseries' && panel.targets.some(hasPercentiles)))(
  '$name has buckets of five minutes: the percentiles of one event are all the same',
  ({ panel }) => expect(panel.interval).toBe('5m')
);

test.each(panels.filter(({ panel }) => panel.type !== 'logs'))('$name shows counts in full', ({ panel }) => {
  const { unit, decimals } = panel.fieldConfig.defaults;
  expect(unit).not.toBe('short');
  // Without `decimals`, the axis of a few events has ticks at 2.5 and 7.5.
  if (unit === 'locale' && panel.type === 'timeseries') expect(decimals).toBe(0);
});

test.each(allPanels.filter(({ panel }) => panel.fieldConfig.defaults.custom?.stacking?.mode === 'normal'))(
  '$name has no border: that of a status without responses would lie on the others',
  ({ panel }) => expect(panel.fieldConfig.defaults.custom?.lineWidth).toBe(0)
);

test.each(allPanels.filter(({ panel }) => panel.datasource.type !== PLUGIN_ID))(
  '$name: a quantile without requests is a gap, no NaN',
  ({ panel }) => {
    for (const { expr } of panel.targets) if (/histogram_quantile/.test(String(expr))) expect(expr).toMatch(/ >= 0$/);
  }
);

test('the variable `project` lists the projects of the demo, the busiest first', async () => {
  for (const { templating } of dashboards) {
    const variable = templating.list.find(({ name }) => name === 'project');
    if (!variable) continue;
    expect(variable.type).toBe('query');
    const answer = (await host.query(demo.source, [{ refId: 'project', query: variable.query as object }]))['project']!;
    const { fields } = decodeFrame(answer.frames[0]!);
    expect(fields.map(({ name }) => name)).toEqual(['project']);
    expect(fields[0]!.values).toHaveLength(5);
    expect(fields[0]!.values[0]).toBe(variable.current.value);
  }
});

test.each(allPanels)('$name has a description, units and a selectable data source', ({ panel }) => {
  expect(panel.description.length).toBeGreaterThan(20);
  expect(panel.fieldConfig.defaults.unit).toEqual(expect.any(String));
  const { type } = panel.datasource;
  const uid = type === PLUGIN_ID ? '${datasource}' : '${prometheus}';
  for (const { datasource } of [panel, ...panel.targets]) expect(datasource).toEqual({ type, uid });
  if (type !== PLUGIN_ID) return;
  for (const target of panel.targets) expect(pluginQuerySchema.parse(target).endpoint.name).toEqual(expect.any(String));
});

test.each(allPanels.filter(({ panel }) => panel.type === 'timeseries'))(
  'the axis of $name begins at zero',
  ({ panel }) => {
    expect(panel.fieldConfig.defaults.min).toBe(0);
  }
);

test('server errors are red and client errors amber, by name', () => {
  const colorsOf = (name: string) =>
    panels.flatMap(({ panel }) =>
      panel.fieldConfig.overrides
        .filter(({ matcher }) => matcher.options === name)
        .flatMap(({ properties }) => properties.filter(({ id }) => id === 'color').map(({ value }) => value))
    );
  for (const [name, fixedColor] of Object.entries({ '5xx': 'red', error: 'red', '4xx': 'orange', warning: 'orange' })) {
    expect(colorsOf(name).length).toBeGreaterThan(0);
    for (const color of colorsOf(name)) expect(color).toEqual({ mode: 'fixed', fixedColor });
  }
});

test('links lead to a dashboard that exists', () => {
  const urls = [...JSON.stringify(dashboards).matchAll(/"url":"\/d\/([\w-]+)\?/g)].map(([, uid]) => uid);
  expect(urls.length).toBeGreaterThan(20);
  const uids = dashboards.map(({ uid }) => uid);
  expect(urls.filter((uid) => !uids.includes(uid!))).toEqual([]);
});

describe.each(rules)('alert rule "$title"', (rule) => {
  const source = rule.data[0]!;
  const threshold = rule.data.find(({ refId }) => refId === rule.condition)!.model.conditions![0]!.evaluator;

  /** Undefined: no data. */
  async function valueFor(project: string): Promise<number | undefined> {
    const model = JSON.parse(JSON.stringify(source.model).replaceAll('acornharvestplatform', project)) as object;
    const now = Date.now();
    const range = { from: now - source.relativeTimeRange.from * 1000, to: now };
    const headers = { FromAlert: 'true' };
    const query = { refId: source.refId, query: model, ...range, intervalMs: 1000, maxDataPoints: 43_200 };
    const answer = (await host.query(demo.source, [query], { headers }))[source.refId]!;
    expect(answer.error).toBe('');
    const frame = decodeFrame(answer.frames[0]!);
    expect(frame.meta.type).toMatch(/^(timeseries|numeric)-wide$/);
    expect(frame.meta.typeVersion).toEqual([0, 1]);
    const series = frame.fields.filter(({ type }) => type === 'number');
    // Grafana knows the results of a rule by their labels, and refuses a rule that has two of the same.
    expect(new Set(series.map(({ labels }) => JSON.stringify(labels))).size).toBe(series.length);
    return series[0]?.values.reduce((sum: number, value) => sum + Number(value), 0);
  }

  test('has a number where there are events, elsewhere zero, or no data where that is fine', async () => {
    expect(await valueFor('acornharvestplatform')).toBeGreaterThan(0);
    expect(await valueFor('unknown')).toBe(rule.noDataState === 'OK' ? undefined : 0);
  });

  test('fires only on one side of its threshold', async () => {
    const fires = (value: number) =>
      threshold.type === 'gt' ? value > threshold.params[0] : value < threshold.params[0];
    const [busy = 0, silent = 0] = [await valueFor('acornharvestplatform'), await valueFor('unknown')];
    expect(fires(threshold.type === 'gt' ? threshold.params[0] + 1 : silent)).toBe(true);
    expect(fires(threshold.type === 'gt' ? silent : busy)).toBe(false);
  });
});

test('data source and rules have the same uid, and no secret is written in them', () => {
  const { datasources } = parse(read('datasources/log-query-endpoints.yaml')) as {
    datasources: { uid: string; type: string; secureJsonData: object }[];
  };
  const [source] = datasources;
  expect(source).toMatchObject({ type: PLUGIN_ID, secureJsonData: { apiKey: '$LQE_API_KEY' } });
  const uids = new Set(rules.flatMap(({ data }) => data.map(({ datasourceUid }) => datasourceUid)));
  expect(uids).toEqual(new Set([source!.uid, '__expr__']));
});

function isLineChart({ type, fieldConfig }: Panel): boolean {
  return type === 'timeseries' && fieldConfig.defaults.custom?.drawStyle === 'line';
}

function hasPercentiles({ sql }: Target): boolean {
  return /percentile_cont/.test(String(sql));
}
