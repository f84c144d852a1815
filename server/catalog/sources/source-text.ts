/** YAML texts of sources that are managed over the API. */
import { isRecord } from '#contract/records';
import { checkSource } from '../definitions/check-source';
import type { DefinitionProblem } from '../definitions/definition-problem';
import type { ApiSource } from '../definitions/sources';
import { readYaml } from '../definitions/yaml-file';
import { boundedParse, ensureWellFormed, formatText, invalidText, patchText } from '../revisions/yaml-text';

/** Fields of responses that the server assigns: a source that was read can be sent back as it is. */
const ASSIGNED_FIELDS: readonly string[] = ['origin', 'revision', 'created_at', 'updated_at', 'change', 'yaml'];

/** @param value a source as JSON, not checked */
export function formatSource(value: Readonly<Record<string, unknown>>): string {
  return formatText(withoutAssigned(value));
}

/** @throws ServiceError `definition_invalid` */
export function patchSource(text: string, patch: Readonly<Record<string, unknown>>): string {
  return patchText(text, withoutAssigned(patch));
}

export function withoutAssigned(value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !ASSIGNED_FIELDS.includes(key)));
}

/** @throws ServiceError `definition_invalid` with every problem and its position in the text */
export function readSource(text: string, id: string): ApiSource {
  const parsed = boundedParse(() => parseSource(text, id));
  if (!('name' in parsed)) throw invalidText(parsed);
  ensureWellFormed(parsed);
  return parsed;
}

function parseSource(text: string, id: string): ApiSource | readonly DefinitionProblem[] {
  const file = 'definition';
  const yaml = readYaml(text);
  if (yaml.errors.length > 0) return yaml.errors.map(({ position, reason }) => ({ file, ...position, reason }));
  const { source, problems } = checkSource(isRecord(yaml.value) ? { ...yaml.value, id } : yaml.value);
  if (source) return { ...source, id };
  return problems.map(({ path, key, reason }) => ({
    file,
    ...(key === undefined ? yaml.positionOf(path) : yaml.positionOfKey(path, key)),
    reason,
    path: key === undefined ? path : [...path, key],
  }));
}
