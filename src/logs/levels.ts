/**
 * Levels of log events: finds the level field of a table, and converts counts by level to the frames of Grafana's log
 * volume.
 */
import { FieldType, type DataFrame, type Field } from '@grafana/data';
import type { DescribedTable } from '#contract/description';
import {
  DEFAULT_LEVEL_RULES,
  knownLevel,
  LEVEL_LABELS,
  ruledLevel,
  type LevelRule,
  type LevelSettings,
} from '#contract/plugin/levels';
import { below } from '../language/resolve-path';
import { lqlField } from './field-filters';

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

/** One frame per level with one label named `level`, from which Grafana takes name and color of the bars. */
export function splitByLevel(frame: DataFrame, settings: LevelSettings = {}): DataFrame[] {
  const time = frame.fields.find(({ type }) => type === FieldType.time);
  const counts = frame.fields.filter(({ type }) => type === FieldType.number);
  if (!time || counts.length === 0) return [frame];
  const byLevel = new Map<string | undefined, Field>();
  for (const field of counts) {
    const [value] = Object.values(field.labels ?? {});
    const level = value === undefined ? undefined : levelOfValue(value, settings);
    const before = byLevel.get(level);
    byLevel.set(level, before ? { ...before, values: sums(before.values, field.values) } : withLevel(field, level));
  }
  return [...byLevel.values()].map((field) => ({ ...frame, fields: [time, field] }));
}

function withLevel(field: Field, level: string | undefined): Field {
  return { ...field, labels: level === undefined ? {} : { level } };
}

/** The result does not name its group field, so the rules of all fields are tried. */
function levelOfValue(value: string, settings: LevelSettings): string {
  const rules = rulesOf(settings).map((rule) => ({ ...rule, field: 'value' }));
  const ruled = ruledLevel({ value }, rules);
  const level = settings.levelRules ? (ruled ?? knownLevel(value)) : (knownLevel(value) ?? ruled);
  return level ?? (/^\d*$/.test(value) ? UNKNOWN : value);
}

function rulesOf({ levelRules }: LevelSettings): readonly LevelRule[] {
  return levelRules ?? DEFAULT_LEVEL_RULES;
}

function sums(a: readonly unknown[], b: readonly unknown[]): Array<number | null> {
  return a.map((value, row) => (value === null && b[row] === null ? null : Number(value ?? 0) + Number(b[row] ?? 0)));
}
