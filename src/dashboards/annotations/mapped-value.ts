/** Value of an annotation property as configured in the annotation editor: a column or a fixed text. */
import {
  AnnotationEventFieldSource,
  getFieldDisplayName,
  type AnnotationEventFieldMapping,
  type DataFrame,
  type Field,
} from '@grafana/data';
import { cellText } from '../../frames/cell-text';

/** @returns undefined without a configured value; the property is then found by column names */
export function mappedValue(
  frame: DataFrame,
  mapping: AnnotationEventFieldMapping | undefined
): ((row: number) => unknown) | undefined {
  if (mapping?.source === AnnotationEventFieldSource.Skip) return () => undefined;
  if (!mapping?.value) return undefined;
  const { value, regex } = mapping;
  if (mapping.source === AnnotationEventFieldSource.Text) return () => value;
  const field = frame.fields.find((each) => isNamed(each, frame, value));
  const labels = frame.fields.find(({ name }) => name === 'labels' || name === 'attributes');
  if (!field && !labels) return undefined;
  const pattern = patternOf(regex);
  return (row) => {
    const found: unknown = field ? field.values[row] : (labels?.values[row] as Record<string, unknown> | null)?.[value];
    const match = pattern && found !== null && found !== undefined ? pattern.exec(cellText(found)) : null;
    return match ? (match[1] ?? match[0]) : found;
  };
}

function isNamed(field: Field, frame: DataFrame, wanted: string): boolean {
  return [field.name, getFieldDisplayName(field, frame)].some((name) => name.toLowerCase() === wanted.toLowerCase());
}

/** An invalid pattern leaves the value unchanged. */
function patternOf(regex: string | undefined): RegExp | undefined {
  try {
    return regex ? new RegExp(regex) : undefined;
  } catch {
    return undefined;
  }
}
