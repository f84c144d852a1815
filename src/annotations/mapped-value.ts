/** What a person chose in the annotation editor: which column, or which fixed text, an event's part is. */
import { getFieldDisplayName, type AnnotationEventFieldMapping, type DataFrame, type Field } from '@grafana/data';

/** @returns undefined where nothing was chosen: the part is then found by the names of the columns */
export function mappedValue(
  frame: DataFrame,
  mapping: AnnotationEventFieldMapping | undefined
): ((row: number) => unknown) | undefined {
  if (mapping?.source === 'skip') return () => undefined;
  if (!mapping?.value) return undefined;
  const { value, regex } = mapping;
  if (mapping.source === 'text') return () => value;
  const field = frame.fields.find((each) => isNamed(each, frame, value));
  const labels = frame.fields.find(({ name }) => name === 'labels' || name === 'attributes');
  if (!field && !labels) return undefined;
  const pattern = patternOf(regex);
  return (row) => {
    const found: unknown = field ? field.values[row] : (labels?.values[row] as Record<string, unknown> | null)?.[value];
    const match = pattern && found !== null && found !== undefined ? pattern.exec(String(found)) : null;
    return match ? (match[1] ?? match[0]) : found;
  };
}

function isNamed(field: Field, frame: DataFrame, wanted: string): boolean {
  return [field.name, getFieldDisplayName(field, frame)].some((name) => name.toLowerCase() === wanted.toLowerCase());
}

/** A pattern that cannot be read takes nothing away from the value. */
function patternOf(regex: string | undefined): RegExp | undefined {
  try {
    return regex ? new RegExp(regex) : undefined;
  } catch {
    return undefined;
  }
}
