/** The reference of a project in the path of an alias is the parameter `project`. */
import { ServiceError } from '#contract/errors';
import type { NameValue } from '../../parsing/query-string';

const PARAMETER = 'project';

/**
 * @param reference of the path; empty: it has none
 * @throws ServiceError `parameter_conflict` when the request names another project
 */
export function withReference(entries: readonly NameValue[], reference: string): readonly NameValue[] {
  if (reference === '') return entries;
  const given = entries.filter(([name]) => name === PARAMETER);
  if (given.length === 0) return [...entries, [PARAMETER, reference]];
  // An empty value is an absent one. Two values are refused with the other parameters.
  if (given.every(([, value]) => value === ''))
    return entries.map((entry) => (given.includes(entry) ? [PARAMETER, reference] : entry));
  if (given.some(([, value]) => value !== '' && value !== reference))
    throw new ServiceError('parameter_conflict', 'The path and the parameter "project" name different projects.', {
      parameter: PARAMETER,
    });
  return entries;
}
