/** Checks the value list of a parameter against the saved queries. The text of its SQL is not compiled here. */
import type { SavedQuery, ValueList } from '#contract/queries/saved-query';
import { didYouMean } from '#contract/nearest-name';

/** @returns undefined when the list is valid */
export function valueListProblem(
  { query, parameters, sql }: ValueList,
  definitions: readonly SavedQuery[]
): string | undefined {
  const list = definitions.find(({ name }) => name === query);
  if (!list)
    return `there is no saved query "${query}"${didYouMean(
      query,
      definitions.map((each) => each.name)
    )}`;
  if (sql !== undefined && !list.sandbox) return `"${query}" takes no SQL: it has no sandbox`;
  const unknown = Object.keys(parameters).find((name) => !list.parameters.some((declared) => declared.name === name));
  if (unknown !== undefined)
    return `"${query}" has no parameter "${unknown}"${didYouMean(
      unknown,
      list.parameters.map((each) => each.name)
    )}`;
  const missing = list.parameters.find(
    ({ name, required, default: value }) => required && value === undefined && !parameters[name]
  );
  return missing && `"${query}" needs the parameter "${missing.name}"`;
}
