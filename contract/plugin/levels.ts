/** Levels of log lines: which names a host knows, and which other values of an event mean one. */

/** As Grafana names and colors them. */
export const LOG_LEVELS = ['critical', 'error', 'warning', 'info', 'debug', 'trace'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** `>=` compares numbers, `=` compares texts without regard to case. */
export const LEVEL_RULE_OPERATORS = ['=', '>='] as const;

export interface LevelRule {
  /** A label of log lines: a dotted path in the metadata, or a column. */
  readonly field: string;
  readonly operator: (typeof LEVEL_RULE_OPERATORS)[number];
  readonly value: string;
  readonly level: LogLevel;
}

/** Labels that name the level, the first that has a value first. */
export const LEVEL_LABELS = ['level', 'severity', 'parsed.error_severity'] as const;

/** PostgreSQL has severities of its own, and a request has the status of its answer. The first rule that fits holds. */
export const DEFAULT_LEVEL_RULES: readonly LevelRule[] = [
  ...(['LOG', 'NOTICE', 'STATEMENT'] as const).map((value) => severity(value, 'info')),
  ...(['FATAL', 'PANIC'] as const).map((value) => severity(value, 'critical')),
  ...['response.status_code', 'status_code'].flatMap((field): LevelRule[] => [
    { field, operator: '>=', value: '500', level: 'error' },
    { field, operator: '>=', value: '400', level: 'warning' },
    { field, operator: '>=', value: '100', level: 'info' },
  ]),
];

/** Other spellings that hosts of all versions take for the same level. */
const SPELLINGS: Readonly<Record<string, LogLevel>> = {
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
};

/** @returns undefined for a text that no host knows as a level */
export function knownLevel(text: string): LogLevel | undefined {
  const name = text.toLowerCase();
  return LOG_LEVELS.find((level) => level === name) ?? SPELLINGS[name];
}

export interface LevelSettings {
  /** The only label that names the level, where the settings say so. */
  readonly levelField?: string;
  /** Undefined: the default ones. */
  readonly levelRules?: readonly LevelRule[];
}

/** @returns every label that `levelOf` reads */
export function levelLabels({ levelField, levelRules }: LevelSettings): ReadonlySet<string> {
  const ruled = (levelRules ?? DEFAULT_LEVEL_RULES).map(({ field }) => field);
  return new Set([...(levelField ? [levelField] : LEVEL_LABELS), ...ruled]);
}

/** Rules of the settings come first: they say what a value means here. @returns '' for a line whose level is not known */
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
