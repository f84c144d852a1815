/** Settings of the ClickHouse connection. */
export interface ClickHouseOptions {
  /** URL of its HTTP interface, without user and password. */
  readonly url: string;
  readonly database: string;
  /** Stores events and runs the service's own statements. */
  readonly writer: ClickHouseUser;
  /** Runs the queries of callers. */
  readonly reader: ClickHouseUser;
  /** Name in the server's `remote_servers`; null: a single server. */
  readonly cluster: string | null;
}

export interface ClickHouseUser {
  readonly name: string;
  readonly password: string;
}
