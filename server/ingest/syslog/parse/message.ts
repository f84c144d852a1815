/** A syslog message, as its sender wrote it. */

/**
 * `rfc5424`, `rfc3164`: the header was read, in that format or a form of it that devices send. `bare`: a priority
 * without a header that could be read. `unparsed`: no priority either.
 */
export const FORMS = ['rfc5424', 'rfc3164', 'bare', 'unparsed'] as const;
export type Form = (typeof FORMS)[number];

export interface SyslogMessage {
  readonly form: Form;
  /** 0 to 191: facility * 8 + severity; null: the message has none. */
  readonly priority: number | null;
  /** Nanoseconds since 1970; null: the message has no time that could be read. */
  readonly nanos: bigint | null;
  readonly hostname: string | null;
  readonly appName: string | null;
  readonly procid: string | null;
  readonly msgid: string | null;
  /** Values by element and parameter; a parameter may occur several times in its element. */
  readonly structuredData: StructuredData;
  /** What follows the parts above; of a form that could not be read, the whole text. */
  readonly text: string;
}

export type StructuredData = ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;

/** Fields of a header. */
export type Header = Pick<SyslogMessage, 'nanos' | 'hostname' | 'appName' | 'procid' | 'msgid'>;

export const NO_HEADER: Header = { nanos: null, hostname: null, appName: null, procid: null, msgid: null };
