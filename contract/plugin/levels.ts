/** Log levels: the names that Grafana knows, and rules that map other values to them. */

/** Levels with Grafana's names, which determine their colors. */
export const LOG_LEVELS = ['critical', 'error', 'warning', 'info', 'debug', 'trace'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** `>=` compares numbers; `=` compares text, ignoring case. */
export const LEVEL_RULE_OPERATORS = ['=', '>='] as const;

export interface LevelRule {
  /** Label of a log line: a dotted path in the metadata, or a column. */
  readonly field: string;
  readonly operator: (typeof LEVEL_RULE_OPERATORS)[number];
  readonly value: string;
  readonly level: LogLevel;
}

/** Labels that name the level; the first one with a value wins. */
export const LEVEL_LABELS = ['level', 'severity', 'parsed.error_severity'] as const;

/** Levels of the loggers pino and bunyan, which write numbers. */
const LOGGER_LEVELS = { 60: 'critical', 50: 'error', 40: 'warning', 30: 'info', 20: 'debug', 10: 'trace' } as const;

/** Default rules for PostgreSQL severities, HTTP statuses and numbers of loggers. The first matching rule wins. */
export const DEFAULT_LEVEL_RULES: readonly LevelRule[] = [
  ...Object.entries(LOGGER_LEVELS).map(([value, level]): LevelRule => ({
    field: 'level',
    operator: '=',
    value,
    level,
  })),
  ...(['LOG', 'NOTICE', 'STATEMENT'] as const).map((value) => severity(value, 'info')),
  ...(['FATAL', 'PANIC'] as const).map((value) => severity(value, 'critical')),
  ...['response.status_code', 'status_code'].flatMap((field): LevelRule[] => [
    { field, operator: '>=', value: '500', level: 'error' },
    { field, operator: '>=', value: '400', level: 'warning' },
    { field, operator: '>=', value: '100', level: 'info' },
  ]),
];

/** Spellings that all supported versions of Grafana treat as the same level. */
const SPELLINGS: ReadonlyMap<string, LogLevel> = new Map(
  Object.entries<LogLevel>({
    emerg: 'critical',
    fatal: 'critical',
    alert: 'critical',
    crit: 'critical',
    err: 'error',
    eror: 'error',
    warn: 'warning',
    information: 'info',
    informational: 'info',
    notice: 'info',
    dbug: 'debug',
  })
);

/** @returns undefined for a text that is not a known level */
export function knownLevel(text: string): LogLevel | undefined {
  const name = text.toLowerCase();
  return LOG_LEVELS.find((level) => level === name) ?? SPELLINGS.get(name);
}

export interface LevelSettings {
  /** The only label that names the level, when the settings define one. */
  readonly levelField?: string;
  /** Undefined: the default rules. */
  readonly levelRules?: readonly LevelRule[];
}

/** @returns the labels that `levelOf` reads */
export function levelLabels({ levelField, levelRules }: LevelSettings): ReadonlySet<string> {
  const ruled = (levelRules ?? DEFAULT_LEVEL_RULES).map(({ field }) => field);
  return new Set([...(levelField ? [levelField] : LEVEL_LABELS), ...ruled]);
}

/** Rules from the settings take precedence over level names. @returns '' for an unknown level */
export function levelOf(labels: Readonly<Record<string, string>>, { levelField, levelRules }: LevelSettings): string {
  const ruled = levelRules && ruledLevel(labels, levelRules);
  if (ruled) return ruled;
  const named = (levelField ? [levelField] : LEVEL_LABELS).map((name) => labels[name]).find(Boolean) ?? '';
  return knownLevel(named) ?? (levelRules ? undefined : ruledLevel(labels, DEFAULT_LEVEL_RULES)) ?? named.toLowerCase();
}

export function ruledLevel(
  labels: Readonly<Record<string, string>>,
  rules: readonly LevelRule[]
): LogLevel | undefined {
  return rules.find(({ field, operator, value }) => fits(labels[field], operator, value))?.level;
}

function fits(found: string | undefined, operator: LevelRule['operator'], value: string): boolean {
  if (found === undefined || found === '') return false;
  return operator === '=' ? found.toLowerCase() === value.toLowerCase() : Number(found) >= Number(value);
}

function severity(value: string, level: LogLevel): LevelRule {
  return { field: 'parsed.error_severity', operator: '=', value, level };
}
