/** The description of a shipper, given in its own file. */

/** What of the requests tells a second event from a second delivery. */
export type Identity = 'distinctive' | 'ambiguous' | 'id';

export interface ShipperTarget {
  /** Where to send to, without a slash at the end. */
  readonly url: string;
  readonly token: string;
  /** An empty folder of this case. */
  readonly folder: string;
}

export interface RunningShipper {
  /** Hands lines over as the shipper takes them: appended to a file, or written to its input. */
  log(lines: readonly string[]): Promise<void>;
  /** No more lines come. */
  end(): Promise<void>;
  stop(): Promise<void>;
  /** Everything it has written, for messages of failed tests. */
  output(): string;
}

export interface Shipper {
  readonly name: string;
  readonly identity: Identity;
  /** How long it may take until everything has arrived, crash included, in milliseconds. */
  readonly patienceMs: number;
  /** It drops what failed: with a crash, as many events must be stored as were acknowledged. */
  readonly isLossy?: true;
  start(target: ShipperTarget): Promise<RunningShipper>;
}
