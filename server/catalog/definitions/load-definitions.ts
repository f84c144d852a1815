/**
 * Loads the saved queries of a folder: each YAML file is checked by itself and against the others. All files are
 * checked before an error is thrown, so that one start shows every problem. `describeFailures` reports the engine's
 * errors in query texts in the same form.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { Position } from '#contract/errors';
import { isRecord } from '#contract/records';
import type { Parameter, SavedQuery } from '#contract/queries/saved-query';
import type { DefinitionFailure } from '../../engine/protocol/messages';
import { checkDefinition } from './check-definition';
import { type DefinitionProblem, DefinitionsError } from './definition-problem';
import { valueListProblem } from './value-list';
import { readYaml, type YamlFile } from './yaml-file';
import { errorCode } from '../../common/caught-error';

export interface LoadedDefinition {
  readonly definition: SavedQuery;
  readonly file: string;
  /** Maps a position in the query text to its position in the file. */
  positionInQuery(position: Position): Position;
  positionOfKey(key: keyof SavedQuery): Position;
  positionOfParameter(index: number, key: keyof Parameter): Position;
}

/** Maximum file size: a definition has some kilobytes. */
export const MAX_FILE_BYTES = 1024 * 1024;

/** The text of one saved query, from a file or from the catalog, or the reason why it cannot be read. */
export interface DefinitionText {
  /** Name in problems. */
  readonly file: string;
  readonly text: string | { readonly reason: string };
}

/**
 * @param exclude files of the folder that are no saved queries (`sources.yaml`).
 * @throws DefinitionsError with every problem of every file
 */
export function loadDefinitions(folder: string, exclude: readonly string[] = []): readonly LoadedDefinition[] {
  return parseDefinitions(readDefinitionTexts(folder, exclude));
}

/** @throws DefinitionsError when the folder cannot be read */
export function readDefinitionTexts(folder: string, exclude: readonly string[] = []): readonly DefinitionText[] {
  const excluded = exclude.map((file) => resolve(file));
  return listFolder(folder)
    .filter((name) => /\.ya?ml$/i.test(name) && !name.startsWith('.'))
    .map((name) => join(folder, name))
    .filter((file) => !excluded.includes(resolve(file)))
    .sort()
    .map((file) => ({ file, text: readDefinitionText(file) }));
}

/** A saved query beside those that are parsed, whose id and name are in use. */
export interface OtherDefinition {
  readonly definition: SavedQuery;
  /** Where it is stored, for problems. */
  readonly place: string;
}

/**
 * @param others saved queries that are served together with these
 * @throws DefinitionsError with every problem of every text
 */
export function parseDefinitions(
  texts: readonly DefinitionText[],
  others: readonly OtherDefinition[] = []
): readonly LoadedDefinition[] {
  const results = texts.map((text) => parseDefinition(text));
  const loaded = results.flatMap((result) => ('definition' in result ? [result] : []));
  const problems = results.flatMap((result) => ('definition' in result ? [] : result));
  problems.push(...findDuplicates(loaded, others), ...findBadValueLists(loaded, others));
  if (problems.length > 0) throw new DefinitionsError(problems);
  return loaded;
}

/** Converts the engine's errors to problems of the files. */
export function describeFailures(
  loaded: readonly LoadedDefinition[],
  failures: readonly DefinitionFailure[]
): readonly DefinitionProblem[] {
  return failures.map(({ endpointId, error }) => {
    const source = loaded.find((entry) => entry.definition.id === endpointId);
    if (!source) return { file: endpointId, line: 1, column: 1, reason: error.message };
    const { position, hint } = error.details;
    const place = position ? source.positionInQuery(position) : source.positionOfKey('query');
    return { file: source.file, ...place, reason: hint ? `${error.message} (${hint})` : error.message };
  });
}

function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    const code = errorCode(error);
    const reason = code === 'ENOENT' ? 'the folder of saved queries does not exist' : `cannot be read (${code})`;
    throw new DefinitionsError([{ file: folder, line: 1, column: 1, reason }]);
  }
}

/**
 * Parses and checks one text by itself.
 *
 * @param assigned fields that the text does not decide
 * @param isStored the text was checked when it was stored, by this version or an earlier one
 */
export function parseDefinition(
  { file, text }: DefinitionText,
  assigned: Partial<SavedQuery> = {},
  isStored = false
): LoadedDefinition | readonly DefinitionProblem[] {
  const problemAt = (position: Position, reason: string): DefinitionProblem => ({ file, ...position, reason });
  if (typeof text !== 'string') return [problemAt({ line: 1, column: 1 }, text.reason)];
  const yaml = readYaml(text);
  if (yaml.errors.length > 0) return yaml.errors.map(({ position, reason }) => problemAt(position, reason));
  const checked = checkDefinition(isRecord(yaml.value) ? { ...yaml.value, ...assigned } : yaml.value, isStored);
  if (checked.definition === null)
    return checked.problems.map((problem) => problemAt(placeOf(yaml, problem), problem.reason));
  return {
    definition: checked.definition,
    file,
    positionInQuery: (position) => yaml.positionInText(['query'], position),
    positionOfKey: (key) => yaml.positionOf([key]),
    positionOfParameter: (index, key) => yaml.positionOf(['parameters', index, key]),
  };
}

function placeOf(yaml: YamlFile, problem: { readonly path: readonly PropertyKey[]; readonly key?: string }): Position {
  return problem.key === undefined ? yaml.positionOf(problem.path) : yaml.positionOfKey(problem.path, problem.key);
}

function readDefinitionText(file: string): string | { readonly reason: string } {
  const facts = statSync(file, { throwIfNoEntry: false });
  if (!facts?.isFile()) return { reason: 'is not a file' };
  if (facts.size > MAX_FILE_BYTES) return { reason: `is longer than ${MAX_FILE_BYTES} bytes` };
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } catch (error) {
    const code = errorCode(error);
    return { reason: code === 'ERR_ENCODING_INVALID_ENCODED_DATA' ? 'is not valid UTF-8' : `cannot be read (${code})` };
  }
}

function findDuplicates(loaded: readonly LoadedDefinition[], others: readonly OtherDefinition[]): DefinitionProblem[] {
  return (['id', 'name'] as const).flatMap((key) => {
    const first = new Map(others.map(({ definition, place }) => [definition[key].toLowerCase(), place]));
    return loaded.flatMap((entry) => {
      const value = entry.definition[key].toLowerCase();
      const earlier = first.get(value);
      if (earlier === undefined) {
        first.set(value, basename(entry.file));
        return [];
      }
      const reason = `${key} "${entry.definition[key]}" is used by ${earlier} already`;
      return [{ file: entry.file, ...entry.positionOfKey(key), reason }];
    });
  });
}

function findBadValueLists(
  loaded: readonly LoadedDefinition[],
  others: readonly OtherDefinition[]
): DefinitionProblem[] {
  const definitions = [...loaded, ...others].map(({ definition }) => definition);
  return loaded.flatMap((entry) =>
    entry.definition.parameters.flatMap(({ values }, index) => {
      const reason = values && valueListProblem(values, definitions);
      return reason === undefined ? [] : [{ file: entry.file, ...entry.positionOfParameter(index, 'values'), reason }];
    })
  );
}
