/** What the config editor stores beside Grafana's own keys (`url`, `timeout`, `tlsSkipVerify`, `httpHeaderName1`, …). */
import { z } from 'zod';
import { LEVEL_RULE_OPERATORS, LOG_LEVELS } from './levels';

export const pluginOptionsSchema = z.object({
  /** Filled in for a declared parameter `project` that a query leaves empty. */
  defaultProject: z.string().optional(),
  /** Every query asks for redaction. */
  redactPii: z.boolean().optional(),
  logs: z
    .object({
      /** Dotted path in the metadata that holds the level, e.g. `parsed.error_severity`. */
      levelField: z.string().optional(),
      /** Which values of a field mean which level, the first that fits. Undefined: the default rules. Empty: none. */
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
      /** Rows of a log query that names no `maxRows`. */
      defaultLimit: z.int().min(1).optional(),
      /** Only the browser reads them. */
      derivedFields: z
        .array(
          z.object({
            name: z.string(),
            /** The label whose value is taken; without one, the message. */
            label: z.string().optional(),
            /** Its first group is the value; without a group, all it matches. */
            regex: z.string().optional(),
            /** Where the link goes, or the query of another data source; `${__value.raw}` is the value. */
            url: z.string().optional(),
            title: z.string().optional(),
            /** Of the other data source. */
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
