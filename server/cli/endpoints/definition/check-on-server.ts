/** Checks definitions on the server, which compiles their queries. Nothing is stored. */
import { z } from 'zod';
import { ManagementError } from '../../remote/management-client';
import { inParallel } from '../remote/in-parallel';
import type { RemoteQueries } from '../remote/remote-queries';
import { type FileProblem, type LocalDefinition, problemAt } from './local-definition';

/** @returns problems of all definitions. @throws ManagementError when the server cannot be asked */
export async function checkOnServer(
  remote: RemoteQueries,
  locals: readonly LocalDefinition[]
): Promise<readonly FileProblem[]> {
  const found = await inParallel(locals, async (local) => {
    try {
      await remote.validate(local.definition);
      return [];
    } catch (error) {
      if (isAboutDefinition(error)) return [problemIn(local, error)];
      throw error;
    }
  });
  return found.flat();
}

/** Refusals of the definition itself, not of the token or the request. */
export function isAboutDefinition(error: unknown): error is ManagementError {
  return error instanceof ManagementError && (error.status === 400 || error.status === 422);
}

const detailsSchema = z.object({
  position: z
    .object({ line: z.int().min(1), column: z.int().min(1) })
    .optional()
    .catch(undefined),
});

/** The refusal at its position in the file. */
export function problemIn({ file, loaded }: LocalDefinition, error: ManagementError): FileProblem {
  const { position } = detailsSchema.parse(error.details);
  const place = position ? loaded.positionInQuery(position) : loaded.positionOfKey('query');
  return problemAt(file, place, error.message);
}
