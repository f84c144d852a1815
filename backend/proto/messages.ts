/** Messages of `pluginv2.proto` in decoded form: every field present, int64 as number, bytes as Buffer. */

export interface User {
  readonly login: string;
  readonly name: string;
  readonly email: string;
  readonly role: string;
}

export interface DataSourceInstanceSettings {
  readonly id: number;
  readonly name: string;
  readonly url: string;
  readonly user: string;
  readonly database: string;
  readonly basicAuthEnabled: boolean;
  readonly basicAuthUser: string;
  readonly jsonData: Uint8Array;
  readonly decryptedSecureJsonData: Readonly<Record<string, string>>;
  readonly lastUpdatedMs: number;
  readonly uid: string;
}

export interface PluginContext {
  readonly orgId: number;
  readonly pluginId: string;
  /** Absent for alert rules. */
  readonly user: User | null;
  readonly dataSourceInstanceSettings: DataSourceInstanceSettings | null;
  readonly grafanaConfig: Readonly<Record<string, string>>;
}

export interface DataQuery {
  readonly refId: string;
  readonly maxDataPoints: number;
  readonly intervalMs: number;
  readonly timeRange: { readonly fromEpochMs: number; readonly toEpochMs: number } | null;
  readonly json: Uint8Array;
  readonly queryType: string;
}

export interface QueryDataRequest {
  readonly pluginContext: PluginContext | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly queries: readonly DataQuery[];
  readonly format: number;
}

export interface DataResponse {
  readonly frames: readonly Uint8Array[];
  /** HTTP status, also required on success: Grafana turns 0 into 500. */
  readonly status: number;
  readonly error?: string;
  readonly errorSource?: 'downstream' | 'plugin';
}

export interface QueryDataResponse {
  readonly responses: Readonly<Record<string, DataResponse>>;
}

export interface CheckHealthRequest {
  readonly pluginContext: PluginContext | null;
  readonly headers: Readonly<Record<string, string>>;
}

export const HEALTH_STATUS = { unknown: 0, ok: 1, error: 2 } as const;

export interface CheckHealthResponse {
  readonly status: number;
  readonly message: string;
  readonly jsonDetails: Uint8Array;
}

export interface CollectMetricsResponse {
  readonly metrics: { readonly prometheus: Uint8Array };
}

export type HeaderLists = Readonly<Record<string, { readonly values: readonly string[] }>>;

export interface CallResourceRequest {
  readonly pluginContext: PluginContext | null;
  /** Path without leading slash and query string. */
  readonly path: string;
  readonly method: string;
  readonly url: string;
  readonly headers: HeaderLists;
  readonly body: Uint8Array;
}

export interface CallResourceResponse {
  readonly code: number;
  readonly headers: HeaderLists;
  readonly body: Uint8Array;
}

/** Request of SubscribeStream, PublishStream and RunStream, which have the same fields. */
export interface StreamRequest {
  readonly pluginContext: PluginContext | null;
  readonly path: string;
  readonly data: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
}

export const STREAM_STATUS = { ok: 0, notFound: 1, permissionDenied: 2 } as const;

export interface StreamAnswer {
  readonly status: number;
  readonly data: Uint8Array;
}

export interface StreamPacket {
  readonly data: Uint8Array;
}
