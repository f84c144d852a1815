/** A listener that is open, of any transport. */
export interface OpenListener {
  readonly port: number;
  /**
   * Takes nothing new, and reads what has arrived.
   * @param untilMs of the monotonic clock: what is not read then is lost
   */
  stop(untilMs: number): Promise<void>;
  /** Reads the files of certificates again; nothing without TLS. @throws the errors of reading or of TLS */
  renewCertificates(): void;
  /** When the certificate in use expires, in milliseconds since 1970; null without TLS. */
  readonly certificateEndsMs: number | null;
}
