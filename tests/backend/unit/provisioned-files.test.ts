/**
 * The provisioned files by the shapes that Grafana 10.1.5 reads them in. It takes no notice of a key that it does not
 * know: a rule with a misspelt one is loaded and does something else. So unknown keys fail here.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { PLUGIN_ID } from '#contract/plugin/plugin';

const FOLDER = path.join(__dirname, '../../../provisioning');
const files = (readdirSync(FOLDER, { recursive: true }) as string[]).filter((file) => /\.(ya?ml|json)$/.test(file));
const read = (file: string): unknown => {
  const text = readFileSync(path.join(FOLDER, file), 'utf8');
  return file.endsWith('.json') ? JSON.parse(text) : parse(text);
};

const text = z.string().min(1);
const duration = z.string().regex(/^\d+[smhd]$/);
const uid = z.string().regex(/^[A-Za-z0-9_-]{1,40}$/);
const orgId = z.int().min(1);
const texts = z.record(z.string(), z.string());
const version = z.literal(1);

const dataSources = z.strictObject({
  apiVersion: version,
  datasources: z.array(
    z.strictObject({
      name: text,
      uid,
      type: z.enum([PLUGIN_ID, 'prometheus']),
      access: z.literal('proxy'),
      url: text,
      editable: z.boolean(),
      // No `isDefault`: Grafana does not start when two files claim it.
      jsonData: z.record(z.string(), z.unknown()),
      secureJsonData: texts.optional(),
    })
  ),
});

const dashboardProviders = z.strictObject({
  apiVersion: version,
  providers: z.array(
    z.strictObject({
      name: text,
      folder: text,
      type: z.literal('file'),
      allowUiUpdates: z.boolean(),
      options: z.strictObject({ path: text }),
    })
  ),
});

const alertQuery = z.strictObject({
  refId: text,
  // Grafana reads whole seconds only.
  relativeTimeRange: z.strictObject({ from: z.int().positive(), to: z.int() }).optional(),
  datasourceUid: text,
  model: z.looseObject({ refId: text }),
});

const alertRules = z.strictObject({
  apiVersion: version,
  groups: z.array(
    z.strictObject({
      orgId,
      name: text,
      folder: text,
      interval: duration,
      rules: z.array(
        z
          .strictObject({
            uid,
            title: text.max(190),
            condition: text,
            for: duration,
            noDataState: z.enum(['NoData', 'Alerting', 'OK']),
            execErrState: z.enum(['Alerting', 'Error', 'OK']),
            labels: texts,
            annotations: texts,
            data: z.array(alertQuery).min(2),
          })
          .refine(
            ({ data }) => data.every(({ refId, model }) => refId === model.refId),
            'a model has its query’s refId'
          )
          .refine(
            ({ condition, data }) => data.some(({ refId }) => refId === condition),
            'the condition is one of them'
          )
          .refine(
            ({ data }) =>
              data.every(({ datasourceUid, relativeTimeRange }) => datasourceUid === '__expr__' || relativeTimeRange),
            'a query of a data source has a time range'
          )
      ),
    })
  ),
});

const contactPoints = z.strictObject({
  apiVersion: version,
  contactPoints: z.array(
    z.strictObject({
      orgId,
      name: text,
      receivers: z.array(z.strictObject({ uid, type: text, settings: z.record(z.string(), z.unknown()) })).min(1),
    })
  ),
  policies: z.array(
    z.strictObject({
      orgId,
      receiver: text,
      routes: z.array(
        z.strictObject({
          receiver: text,
          object_matchers: z.array(z.tuple([text, z.enum(['=', '!=', '=~', '!~']), text])),
          group_by: z.array(text),
        })
      ),
    })
  ),
});

const dataSource = z.union([
  z.strictObject({ type: z.literal(PLUGIN_ID), uid: z.literal('${datasource}') }),
  // Metrics of the service itself.
  z.strictObject({ type: z.literal('prometheus'), uid: z.literal('${prometheus}') }),
]);

const dashboard = z.looseObject({
  uid,
  title: text,
  // Panels of a newer version are not brought back to an older one.
  schemaVersion: z.int().max(38),
  id: z.undefined().optional(),
  templating: z.looseObject({
    list: z.array(z.looseObject({ name: text, type: z.enum(['datasource', 'textbox', 'custom', 'query', 'adhoc']) })),
  }),
  panels: z
    .array(
      z.looseObject({
        id: z.int(),
        type: z.enum(['timeseries', 'stat', 'piechart', 'bargauge', 'logs', 'table', 'barchart']),
        gridPos: z.strictObject({ x: z.int(), y: z.int(), w: z.int().min(1).max(24), h: z.int().min(1) }),
        datasource: dataSource,
        targets: z.array(z.looseObject({ refId: text, datasource: dataSource })).min(1),
      })
    )
    .refine((panels) => new Set(panels.map(({ id }) => id)).size === panels.length, 'panels have ids of their own')
    .refine((panels) => panels.every(({ gridPos: { x, w } }) => x + w <= 24), 'panels stay on the page'),
});

const scraping = z.strictObject({
  global: z.strictObject({ scrape_interval: duration }),
  rule_files: z.array(text),
  scrape_configs: z.array(
    z.strictObject({
      job_name: text,
      authorization: z.strictObject({ credentials_file: text }),
      static_configs: z.array(z.strictObject({ targets: z.array(text) })),
    })
  ),
});

const prometheusRules = z.strictObject({
  groups: z.array(
    z.strictObject({
      name: text,
      rules: z
        .array(
          z.strictObject({
            alert: z.string().regex(/^LogQuery[A-Za-z]+$/),
            expr: text,
            for: duration.optional(),
            labels: z.strictObject({ severity: z.enum(['critical', 'warning']) }),
            annotations: z.strictObject({ summary: text, description: text }),
          })
        )
        .refine((rules) => new Set(rules.map(({ alert }) => alert)).size === rules.length, 'alerts have own names'),
    })
  ),
});

const SCHEMAS: ReadonlyArray<readonly [RegExp, z.ZodType]> = [
  [/^datasources\//, dataSources],
  [/^dashboards\/json\//, dashboard],
  [/^dashboards\//, dashboardProviders],
  [/^alerting\/rules/, alertRules],
  [/^alerting\/contact/, contactPoints],
  [/^prometheus\/alerts/, prometheusRules],
  [/^prometheus\//, scraping],
];

test.each(files)('%s is a file that Grafana or Prometheus can read', (file) => {
  const schema = SCHEMAS.find(([pattern]) => pattern.test(file))?.[1];
  if (!schema) throw new Error(`No shape is known for ${file}.`);
  const { error } = schema.safeParse(read(file));
  expect(error?.issues ?? []).toEqual([]);
});
