/** Every query of the provisioned dashboards and alert rules, run as Grafana would run it. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { PLUGIN_ID } from '#contract/plugin/plugin';
import { pluginQuerySchema } from '#contract/plugin/query';
import { decodeFrame } from '../support/decode-frame';
import { type PluginHost, startPlugin } from '../support/plugin-host';
import { EVENT_COUNT, type SampleService, startSampleService } from '../support/sample-service';

const FOLDER = path.join(__dirname, '../../../provisioning');
const read = (file: string) => readFileSync(path.join(FOLDER, file), 'utf8');

interface Panel {
  readonly title: string;
  readonly description: string;
  readonly type: string;
  readonly datasource: { readonly type: string; readonly uid: string };
  readonly targets: readonly ({ readonly refId: string; readonly datasource: Panel['datasource'] } & Record<
    string,
    unknown
  >)[];
  readonly fieldConfig: { readonly defaults: { readonly unit?: string } };
}

interface Dashboard {
  readonly title: string;
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly { name: string; current: { value?: string } }[] };
}

const dashboards = readdirSync(path.join(FOLDER, 'dashboards/json')).map(
  (file) => JSON.parse(read(`dashboards/json/${file}`)) as Dashboard
);
const panels = dashboards.flatMap((dashboard) =>
  dashboard.panels.map((panel) => ({ name: `${dashboard.title}: ${panel.title}`, dashboard, panel }))
);

interface Rule {
  readonly title: string;
  readonly condition: string;
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
let sample: SampleService;

beforeAll(async () => {
  [host, sample] = await Promise.all([startPlugin(), startSampleService()]);
});

afterAll(async () => {
  await host.stop();
  await sample.stop();
});

/** As the browser fills in variables before it sends a query; macros are left for the backend. */
function filledIn(query: object, { templating }: Dashboard): object {
  const filled = templating.list.reduce((text, { name, current }) => {
    const value = JSON.stringify(current.value ?? '').slice(1, -1);
    return text.replace(new RegExp(`\\$\\{${name}(:\\w+)?\\}|\\$${name}\\b`, 'g'), () => value);
  }, JSON.stringify(query));
  return JSON.parse(filled) as object;
}

test.each(panels)('$name gives data', async ({ dashboard, panel }) => {
  for (const target of panel.targets) {
    const query = filledIn(target, dashboard);
    const answer = (await host.query(sample.source, [{ refId: target.refId, query }]))[target.refId]!;
    expect({ error: answer.error, status: answer.status }).toEqual({ error: '', status: 200 });
    const frame = decodeFrame(answer.frames[0]!);
    expect((frame.meta.notices ?? []).filter(({ severity }) => severity !== 'info')).toEqual([]);
    expect(frame.length).toBeGreaterThan(0);
  }
});

test.each(panels)('$name says what it shows, in which unit, from the data source that is chosen', ({ panel }) => {
  expect(panel.description.length).toBeGreaterThan(20);
  expect(panel.fieldConfig.defaults.unit).toEqual(expect.any(String));
  for (const { datasource } of [panel, ...panel.targets])
    expect(datasource).toEqual({ type: PLUGIN_ID, uid: '${datasource}' });
  for (const target of panel.targets) expect(pluginQuerySchema.parse(target).endpoint.name).toEqual(expect.any(String));
});

describe.each(rules)('alert rule "$title"', (rule) => {
  const source = rule.data[0]!;
  const threshold = rule.data.find(({ refId }) => refId === rule.condition)!.model.conditions![0]!.evaluator;

  async function valueFor(project: string): Promise<number> {
    const model = JSON.parse(JSON.stringify(source.model).replaceAll('acornharvestplatform', project)) as object;
    const now = Date.now();
    const range = { from: now - source.relativeTimeRange.from * 1000, to: now };
    const headers = { FromAlert: 'true' };
    const query = { refId: source.refId, query: model, ...range, intervalMs: 1000, maxDataPoints: 43_200 };
    const answer = (await host.query(sample.source, [query], { headers }))[source.refId]!;
    expect(answer.error).toBe('');
    const frame = decodeFrame(answer.frames[0]!);
    expect(frame.meta.type).toMatch(/^(timeseries|numeric)-wide$/);
    expect(frame.meta.typeVersion).toEqual([0, 1]);
    const series = frame.fields.filter(({ type }) => type === 'number');
    // Grafana knows the results of a rule by their labels, and refuses a rule that has two of the same.
    expect(new Set(series.map(({ labels }) => JSON.stringify(labels))).size).toBe(series.length);
    return series[0]!.values.reduce((sum: number, value) => sum + Number(value), 0);
  }

  test('has a number where there are events, and zero where there are none', async () => {
    expect(await valueFor('acornharvestplatform')).toBeGreaterThan(0);
    expect(await valueFor('nobody')).toBe(0);
  });

  test('fires on one side of its threshold only', async () => {
    const fires = (value: number) =>
      threshold.type === 'gt' ? value > threshold.params[0] : value < threshold.params[0];
    const [busy, silent] = [await valueFor('acornharvestplatform'), await valueFor('nobody')];
    expect(busy).toBeLessThanOrEqual(EVENT_COUNT);
    expect(fires(threshold.type === 'gt' ? threshold.params[0] + 1 : silent)).toBe(true);
    expect(fires(threshold.type === 'gt' ? silent : busy)).toBe(false);
  });
});

test('data source and rules agree on the uid, and no secret is written down', () => {
  const { datasources } = parse(read('datasources/log-query-endpoints.yaml')) as {
    datasources: { uid: string; type: string; secureJsonData: object }[];
  };
  const [source] = datasources;
  expect(source).toMatchObject({ type: PLUGIN_ID, secureJsonData: { apiKey: '$LQE_API_KEY' } });
  const uids = new Set(rules.flatMap(({ data }) => data.map(({ datasourceUid }) => datasourceUid)));
  expect(uids).toEqual(new Set([source!.uid, '__expr__']));
});
