/** The shapes that Grafana stores for us. */
import type { DataSourceJsonData } from '@grafana/data';
import type { DataQuery } from '@grafana/schema';
import type { PluginOptions, PluginSecureOptions } from '#contract/plugin/options';
import type { PluginQueryInput } from '#contract/plugin/query';

/** What an endpoint is asked, as stored in panels, alert rules and Explore. */
export interface LogEndpointsQuery extends DataQuery, PluginQueryInput {
  /** Of Explore alone, never stored or sent: asks for what goes with the query. It is made when the endpoint's tables are known. */
  readonly supplement?: { readonly kind: 'volume' } | { readonly kind: 'sample'; readonly limit?: number };
}

export type DerivedField = NonNullable<NonNullable<PluginOptions['logs']>['derivedFields']>[number];

export type LevelRule = NonNullable<NonNullable<PluginOptions['logs']>['levelRules']>[number];

/** What a dashboard variable asks. Only the browser reads the addition. */
export interface VariableQuery extends LogEndpointsQuery {
  readonly variable?: {
    /** @default 'query' */
    readonly list?: 'query' | 'endpoints' | 'parameter';
    /** Of `parameter`: which one of the endpoint. */
    readonly parameter?: string;
    /** Columns of `query`. */
    readonly valueField?: string;
    readonly labelField?: string;
  };
}

/** Our settings and those of Grafana's that its backend and ours read. */
export interface LogEndpointsOptions extends DataSourceJsonData, PluginOptions {
  /** Seconds. */
  readonly timeout?: number;
  readonly tlsSkipVerify?: boolean;
  readonly tlsAuth?: boolean;
  readonly tlsAuthWithCACert?: boolean;
  readonly serverName?: string;
  readonly enableSecureSocksProxy?: boolean;
}

/** Never sent to the browser once saved. */
export interface LogEndpointsSecureOptions extends PluginSecureOptions {
  readonly tlsCACert?: string;
  readonly tlsClientCert?: string;
  readonly tlsClientKey?: string;
}
