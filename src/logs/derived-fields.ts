/**
 * Derived fields: values from a label or the text of log lines, each with a link to a page or to a query of another
 * data source.
 */
import { FieldType, type DataFrame, type DataLink, type Field } from '@grafana/data';
import type { DerivedField } from '../types';

/** @param nameOf finds the name of a data source by uid; undefined if it does not exist */
export function withDerivedFields(
  frame: DataFrame,
  derived: readonly DerivedField[],
  nameOf: (uid: string) => string | undefined
): DataFrame {
  if (frame.meta?.preferredVisualisationType !== 'logs') return frame;
  const fields = derived.flatMap((each): Field[] => {
    const values = valuesOf(frame, each);
    const links = values.some((value) => value !== null) ? [linkOf(each, nameOf)].flatMap((link) => link ?? []) : [];
    return links.length === 0 ? [] : [{ name: each.name, type: FieldType.string, config: { links }, values }];
  });
  return fields.length === 0 ? frame : { ...frame, fields: [...frame.fields, ...fields] };
}

/** Error message for a derived field; undefined if it is valid. */
export function derivedFieldProblem({ name, label, regex, url }: DerivedField): string | undefined {
  if (!name.trim()) return 'Write a name.';
  if (!label && !regex) return 'Name a label, or write a regular expression for the message.';
  if (regex && !compile(regex)) return 'The regular expression cannot be read.';
  return url?.trim() ? undefined : 'Write where the link goes.';
}

/** Null for missing values: Grafana omits such fields from the details of a line. */
function valuesOf(frame: DataFrame, { label, regex }: DerivedField): Array<string | null> {
  const pattern = regex ? compile(regex) : undefined;
  const texts = label ? labelTexts(frame, label) : (frame.fields.find(({ name }) => name === 'body')?.values ?? []);
  return Array.from({ length: frame.length }, (_, row) => {
    const text: unknown = texts[row];
    if (typeof text !== 'string' || text === '' || (regex && !pattern)) return null;
    if (!pattern) return text;
    const match = pattern.exec(text);
    return match ? (match[1] ?? match[0]) : null;
  });
}

function labelTexts(frame: DataFrame, label: string): readonly unknown[] {
  const labels = frame.fields.find(({ name, type }) => name === 'labels' && type === FieldType.other);
  return labels?.values.map((each: Record<string, unknown> | null) => each?.[label]) ?? [];
}

function linkOf(
  { name, url = '', title, datasourceUid }: DerivedField,
  nameOf: (uid: string) => string | undefined
): DataLink | undefined {
  if (!datasourceUid) return { title: title || name, url, targetBlank: true };
  const datasourceName = nameOf(datasourceUid);
  if (datasourceName === undefined) return undefined;
  return {
    title: title || datasourceName,
    url: '',
    internal: { query: { refId: 'A', query: url }, datasourceUid, datasourceName },
  };
}

function compile(regex: string): RegExp | undefined {
  try {
    return new RegExp(regex);
  } catch {
    return undefined;
  }
}
