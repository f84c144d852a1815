/** What the store is told of its ClickHouse. */
export interface ClickHouseOptions {
  /** Of its HTTP interface, without user and password. */
  readonly url: string;
  readonly database: string;
  /** Stores events; its statements are our own. */
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
