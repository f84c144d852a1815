/**
 * Reads the definition of a saved query or a source from the body of a request: JSON `{"definition": {...}, "message":
 * "..."}` or the definition alone, or YAML, which is stored as it was sent.
 */
import { z } from 'zod';
import { ServiceError } from '#contract/errors';
import { isRecord } from '#contract/records';
import { mediaTypeOf, readTextBody } from '../bodies/read-json-body';
import { parseStrictJson } from '../parsing/parse-json';
import { ensureWellFormed } from '../parsing/decode-text';
import type { KeyedCall } from '../router';

export interface DefinitionInput {
  /** YAML of the definition. */
  readonly text: string;
  /** Note in the body. */
  readonly message: string | undefined;
}

const JSON_TYPE = 'application/json';
const MERGE_PATCH_TYPE = 'application/merge-patch+json';
const YAML_TYPES = ['application/yaml', 'application/x-yaml', 'text/yaml', 'text/x-yaml'];

const wrapperSchema = z.strictObject({
  definition: z.record(z.string(), z.unknown()).optional(),
  yaml: z.string().optional(),
  message: z.string().optional(),
});

/** What definitions of one kind are made of. */
export interface DefinitionForm {
  /**
   * Checks a definition as far as its JSON shows.
   * @returns YAML @throws ServiceError `definition_invalid`
   */
  format(value: Readonly<Record<string, unknown>>): string;
  /** @throws ServiceError `definition_invalid` for a merge patch with unknown fields */
  ensurePatch(patch: Readonly<Record<string, unknown>>): void;
}

/**
 * @param given fields that the request names elsewhere: id or name in the path
 * @throws ServiceError `definition_invalid`, `body_invalid`, `media_type_unsupported`, `body_too_large`
 */
export async function readDefinitionInput(
  call: KeyedCall,
  form: DefinitionForm,
  given: { readonly id?: string; readonly name?: string } = {}
): Promise<DefinitionInput> {
  const { wrapper, text } = await readWrapper(call, [JSON_TYPE, ...YAML_TYPES]);
  if (text !== null) return { text, message: undefined };
  const { definition, yaml, message } = wrapper;
  if ((definition === undefined) === (yaml === undefined))
    throw new ServiceError('body_invalid', 'The body has either "definition" or "yaml".');
  if (yaml !== undefined) return { text: yaml, message };
  return { text: form.format({ ...given, ...definition }), message };
}

export interface PatchInput {
  /** Merge patch [RFC 7396] of the definition. */
  readonly patch: Readonly<Record<string, unknown>>;
  readonly message: string | undefined;
}

/** @throws ServiceError as `readDefinitionInput` */
export async function readPatchInput(call: KeyedCall, form: DefinitionForm): Promise<PatchInput> {
  const { wrapper } = await readWrapper(call, [JSON_TYPE, MERGE_PATCH_TYPE]);
  if (wrapper.definition === undefined) throw new ServiceError('body_invalid', 'The body must be a JSON object.');
  form.ensurePatch(wrapper.definition);
  return { patch: wrapper.definition, message: wrapper.message };
}

/** @throws ServiceError `body_invalid` */
export async function readMessageBody(call: KeyedCall): Promise<string | undefined> {
  const { req, res, ctx } = call;
  if (mediaTypeOf(req) === '') return undefined;
  ensureType(call, [JSON_TYPE]);
  const parsed = z
    .strictObject({ message: z.string().optional() })
    .safeParse(parseStrictJson((await readTextBody(req, res, ctx.config.http)) || '{}'));
  if (parsed.success) return parsed.data.message;
  throw new ServiceError('body_invalid', 'The body is empty or {"message": "..."}.');
}

interface ReadWrapper {
  readonly wrapper: z.infer<typeof wrapperSchema>;
  /** The whole body, when it is YAML. */
  readonly text: string | null;
}

async function readWrapper(call: KeyedCall, types: readonly string[]): Promise<ReadWrapper> {
  const type = ensureType(call, types);
  const { req, res, ctx } = call;
  const text = ensureWellFormed(await readTextBody(req, res, ctx.config.http), 'The request body');
  if (YAML_TYPES.includes(type)) return { wrapper: {}, text };
  const value = parseStrictJson(text);
  if (!isRecord(value)) throw new ServiceError('body_invalid', 'The body must be a JSON object.');
  // A definition has no field "definition" or "yaml", so the two forms cannot be confused.
  const isWrapped = type === JSON_TYPE && ('definition' in value || 'yaml' in value);
  const parsed = wrapperSchema.safeParse(isWrapped ? value : { definition: value });
  if (parsed.success) return { wrapper: parsed.data, text: null };
  throw new ServiceError(
    'body_invalid',
    'The body must be {"definition": {...}, "message": "..."}, or the fields of the definition alone.'
  );
}

function ensureType({ req }: KeyedCall, types: readonly string[]): string {
  const type = mediaTypeOf(req);
  if (types.includes(type)) return type;
  throw new ServiceError('media_type_unsupported', `The body must be ${types[0]} or ${types[1] ?? types[0]}.`, {
    available: types,
  });
}

/** @param problems with the path of each */
export function definitionInvalid(
  problems: readonly { readonly path: readonly PropertyKey[]; readonly key?: string; readonly reason: string }[]
): ServiceError {
  return new ServiceError('definition_invalid', 'The definition is not valid.', {
    problems: problems.map(({ path, key, reason }) => ({ path: key === undefined ? path : [...path, key], reason })),
  });
}
