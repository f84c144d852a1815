/** Converts counts by level to the frames of Grafana's log volume. */
import { FieldType, type DataFrame, type Field } from '@grafana/data';
import type { LevelSettings } from '#contract/plugin/levels';
import { levelOfValue } from '../language/level-field';

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

function sums(a: readonly unknown[], b: readonly unknown[]): Array<number | null> {
  return a.map((value, row) => (value === null && b[row] === null ? null : Number(value ?? 0) + Number(b[row] ?? 0)));
}
