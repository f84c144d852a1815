/** Types of the data that Grafana stores for the plugin. */
import type { DataSourceJsonData } from '@grafana/data';
import type { DataQuery } from '@grafana/schema';
import type { PluginOptions, PluginSecureOptions } from '#contract/plugin/options';
import type { PluginQueryInput } from '#contract/plugin/query';

/** A query as stored in panels, alert rules and Explore. */
export interface LogEndpointsQuery extends DataQuery, PluginQueryInput {
  /**
   * Marks a supplementary query of Explore; never stored or sent. The real query is created once the endpoint's tables
   * are known.
   */
  readonly supplement?: { readonly kind: 'volume' } | { readonly kind: 'sample'; readonly limit?: number };
  /**
   * Marks a query to which the dashboard's ad-hoc filters do not apply: those of variables and of the data source
   * itself, which read other tables. Never stored or sent.
   */
  readonly isUnfiltered?: true;
}

export type DerivedField = NonNullable<NonNullable<PluginOptions['logs']>['derivedFields']>[number];

export type LevelRule = NonNullable<NonNullable<PluginOptions['logs']>['levelRules']>[number];

/** Query of a dashboard variable. Only the browser reads the addition. */
export interface VariableQuery extends LogEndpointsQuery {
  readonly variable?: {
    /** @default 'query' */
    readonly list?: 'query' | 'endpoints' | 'parameter';
    /** Name of the parameter, for `parameter`. */
    readonly parameter?: string;
    /** Columns of the result, for `query`. */
    readonly valueField?: string;
    readonly labelField?: string;
  };
}

/** Settings of the plugin, and those of Grafana's settings that the plugin reads. */
export interface LogEndpointsOptions extends DataSourceJsonData, PluginOptions {
  /** In seconds. */
  readonly timeout?: number;
  readonly tlsSkipVerify?: boolean;
  readonly tlsAuth?: boolean;
  readonly tlsAuthWithCACert?: boolean;
  readonly serverName?: string;
  readonly enableSecureSocksProxy?: boolean;
}

/** Secrets, never sent to the browser after saving. */
export interface LogEndpointsSecureOptions extends PluginSecureOptions {
  readonly basicAuthPassword?: string;
  readonly tlsCACert?: string;
  readonly tlsClientCert?: string;
  readonly tlsClientKey?: string;
}
