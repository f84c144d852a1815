/** Fields of a definition for the form. Values of another type than the form can show are read as empty. */
import { isRecord } from '#contract/records';
import type { Fields } from './definition-text';

export function textOf(fields: Fields, key: string): string {
  const value = fields[key];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** Fields that the service checks and runs although they have no name yet. */
export function withName(fields: Fields): Fields {
  return textOf(fields, 'name') === '' ? { ...fields, name: 'unnamed' } : fields;
}

export function isOn(fields: Fields, key: string): boolean {
  return fields[key] === true;
}

/** @returns undefined when it is not a list of texts */
export function textsOf(fields: Fields, key: string): readonly string[] | undefined {
  const value = fields[key];
  return Array.isArray(value) ? value.map((each) => String(each)) : undefined;
}

export function parametersOf(fields: Fields): readonly Fields[] {
  const { parameters } = fields;
  return Array.isArray(parameters) ? parameters.map((each: unknown) => (isRecord(each) ? each : {})) : [];
}

/** Whether the form can show the fields: else only their text can. */
export function fitsForm(fields: Fields): boolean {
  const { parameters } = fields;
  return parameters === undefined || (Array.isArray(parameters) && parameters.every(isRecord));
}
