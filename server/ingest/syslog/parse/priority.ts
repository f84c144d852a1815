/** Priority of a message: its facility and its severity. */

/**
 * Keywords of RFC 5424, table 1, as syslog.conf writes them; the codes 12 to 15 have different names on each system.
 */
const FACILITIES = [
  'kern',
  'user',
  'mail',
  'daemon',
  'auth',
  'syslog',
  'lpr',
  'news',
  'uucp',
  'cron',
  'authpriv',
  'ftp',
  'ntp',
  'audit',
  'alert',
  'clock',
  'local0',
  'local1',
  'local2',
  'local3',
  'local4',
  'local5',
  'local6',
  'local7',
] as const;

/** The level is the one that OpenTelemetry's data model gives the severity. */
const SEVERITIES = [
  { name: 'emerg', level: 'fatal' },
  { name: 'alert', level: 'error' },
  { name: 'crit', level: 'error' },
  { name: 'err', level: 'error' },
  { name: 'warning', level: 'warn' },
  { name: 'notice', level: 'info' },
  { name: 'info', level: 'info' },
  { name: 'debug', level: 'debug' },
] as const;

const MAX_PRIORITY = FACILITIES.length * SEVERITIES.length - 1;

export interface PriorityNames {
  readonly facility: string;
  readonly severity: string;
  readonly level: string;
}

/** @param priority 0 to 191 */
export function priorityNames(priority: number): PriorityNames {
  const { name, level } = SEVERITIES[priority % SEVERITIES.length]!;
  return { facility: FACILITIES[Math.floor(priority / SEVERITIES.length)]!, severity: name, level };
}

const PRIORITY = /<(\d{1,3})>/y;

/** Reads `<PRI>` at the start of the text. @returns null without one in its range */
export function readPriority(text: string): { readonly value: number; readonly end: number } | null {
  PRIORITY.lastIndex = 0;
  const match = PRIORITY.exec(text);
  const value = Number(match?.[1]);
  return match === null || value > MAX_PRIORITY ? null : { value, end: PRIORITY.lastIndex };
}
