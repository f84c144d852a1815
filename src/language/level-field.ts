/** Levels of log events: the level field of a table, and levels of counted values. */
import type { DescribedTable } from '#contract/queries/description';
import {
  DEFAULT_LEVEL_RULES,
  knownLevel,
  LEVEL_LABELS,
  ruledLevel,
  type LevelRule,
  type LevelSettings,
} from '#contract/plugin/levels';
import { lqlField } from './lql-field';
import { below } from './completion/resolve-path';

/** Level of values that map to none. */
const UNKNOWN = 'unknown';

/** @returns the field that contains the level or that a rule reads, in LQL notation; undefined if the table has none */
export function levelField({ columns }: DescribedTable, settings: LevelSettings = {}): string | undefined {
  const named = settings.levelField ? [settings.levelField] : LEVEL_LABELS;
  const ruled = rulesOf(settings).map(({ field }) => field);
  // Rules from the settings take precedence over level names.
  const paths = settings.levelRules ? [...ruled, ...named] : [...named, ...ruled];
  const path = paths.find(
    (each) => isThere(columns, each.split('.')) || isThere(columns, ['metadata', ...each.split('.')])
  );
  return path && lqlField(path, columns);
}

function isThere(columns: DescribedTable['columns'], path: readonly string[]): boolean {
  const parents = below(columns, path.slice(0, -1));
  const level = path.length === 1 ? columns : parents;
  return level.some(({ name, fields }) => name === path[path.length - 1] && fields === undefined);
}

/** The result does not name its group field, so the rules of all fields are tried. */
export function levelOfValue(value: string, settings: LevelSettings = {}): string {
  const rules = rulesOf(settings).map((rule) => ({ ...rule, field: 'value' }));
  const ruled = ruledLevel({ value }, rules);
  const level = settings.levelRules ? (ruled ?? knownLevel(value)) : (knownLevel(value) ?? ruled);
  return level ?? (/^\d*$/.test(value) ? UNKNOWN : value);
}

function rulesOf({ levelRules }: LevelSettings): readonly LevelRule[] {
  return levelRules ?? DEFAULT_LEVEL_RULES;
}
