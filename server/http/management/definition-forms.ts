/** The forms of the two kinds of definitions that requests bring. */
import { sourceSchema } from '#contract/events/source';
import { didYouMean } from '#contract/nearest-name';
import { checkDefinition, findUnknownKeys } from '../../catalog/definitions/check-definition';
import { checkSource } from '../../catalog/definitions/check-source';
import { formatDefinition, withoutAssigned } from '../../catalog/saved-queries/definition-text';
import { formatSource, withoutAssigned as sourceWithoutAssigned } from '../../catalog/sources/source-text';
import { type DefinitionForm, definitionInvalid } from './definition-input';

/** Id of a definition that is not stored yet; no stored one has it. */
export const DRAFT_ID = '00000000-0000-4000-8000-000000000000';

export const SAVED_QUERY_FORM: DefinitionForm = {
  format: (value) => {
    const { problems } = checkDefinition({ id: DRAFT_ID, ...withoutAssigned(value) });
    if (problems.length > 0) throw definitionInvalid(problems);
    return formatDefinition(value);
  },
  ensurePatch: (patch) => {
    const problems = findUnknownKeys(withoutAssigned(patch));
    if (problems.length > 0) throw definitionInvalid(problems);
  },
};

const SOURCE_KEYS: readonly string[] = Object.keys(sourceSchema.shape);

export const SOURCE_FORM: DefinitionForm = {
  format: (value) => {
    const { problems } = checkSource(sourceWithoutAssigned(value));
    if (problems.length > 0) throw definitionInvalid(problems);
    return formatSource(value);
  },
  ensurePatch: (patch) => {
    const unknown = Object.keys(sourceWithoutAssigned(patch)).filter((key) => !SOURCE_KEYS.includes(key));
    if (unknown.length > 0)
      throw definitionInvalid(
        unknown.map((key) => ({ path: [], key, reason: `unknown key "${key}"${didYouMean(key, SOURCE_KEYS)}` }))
      );
  },
};
