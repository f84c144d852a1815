/** What the config editor stores beside Grafana's own keys (`url`, `timeout`, `tlsSkipVerify`, `httpHeaderName1`, …). */
import { z } from 'zod';

export const pluginOptionsSchema = z.object({
  /** Filled in for a declared parameter `project` that a query leaves empty. */
  defaultProject: z.string().optional(),
  /** Every query asks for redaction. */
  redactPii: z.boolean().optional(),
  logs: z
    .object({
      /** Dotted path in the metadata that holds the level, e.g. `parsed.error_severity`. */
      levelField: z.string().optional(),
      /** Rows of a log query that names no `maxRows`. */
      defaultLimit: z.int().min(1).optional(),
    })
    .optional(),
});

export type PluginOptions = z.infer<typeof pluginOptionsSchema>;

/** Keys of `secureJsonData`. */
export interface PluginSecureOptions {
  readonly apiKey?: string;
}
