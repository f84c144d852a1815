/**
 * Settings of the data source, stored beside Grafana's own keys (`url`, `timeout`, `tlsSkipVerify`, `httpHeaderName1`,
 * …).
 */
import { z } from 'zod';
import { LEVEL_RULE_OPERATORS, LOG_LEVELS } from './levels';

export const pluginOptionsSchema = z.object({
  /** Default for a declared parameter `project` that a query leaves empty. */
  defaultProject: z.string().optional(),
  /** Requests redaction for every query. */
  redactPii: z.boolean().optional(),
  logs: z
    .object({
      /** Dotted path in the metadata that holds the level, e.g. `parsed.error_severity`. */
      levelField: z.string().optional(),
      /** Rules that map field values to levels; the first match wins. Undefined: the default rules. Empty: no rules. */
      levelRules: z
        .array(
          z.object({
            field: z.string(),
            operator: z.enum(LEVEL_RULE_OPERATORS),
            value: z.string(),
            level: z.enum(LOG_LEVELS),
          })
        )
        .optional(),
      /** Row limit of log queries without `maxRows`. */
      defaultLimit: z.int().min(1).optional(),
      /** Links from values in log lines. Used by the browser only. */
      derivedFields: z
        .array(
          z.object({
            name: z.string(),
            /** Label whose value is searched; without one, the message. */
            label: z.string().optional(),
            /** Pattern of the value: its first group, or the whole match if it has none. */
            regex: z.string().optional(),
            /** URL of the link, or the query for another data source; `${__value.raw}` is the value. */
            url: z.string().optional(),
            title: z.string().optional(),
            /** Uid of the other data source. */
            datasourceUid: z.string().optional(),
          })
        )
        .optional(),
    })
    .optional(),
});

export type PluginOptions = z.infer<typeof pluginOptionsSchema>;

/** Keys of `secureJsonData`. */
export interface PluginSecureOptions {
  readonly apiKey?: string;
}
