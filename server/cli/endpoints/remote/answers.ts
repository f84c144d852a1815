/** Shapes of saved queries in the server's answers. Other fields are ignored. */
import { z } from 'zod';
import { savedQuerySchema } from '#contract/queries/saved-query';

const origin = z.enum(['file', 'api']);

/** Fields that newer servers may add are dropped. */
const definition = z.object(savedQuerySchema.shape);

export const listedSchema = z.object({ ...definition.omit({ query: true }).shape, origin });
export const servedSchema = z.object({ ...definition.shape, origin });

export const changedSchema = z.object({ id: z.string(), name: z.string(), revision: z.int().min(1) });

/** A saved query without its text. */
export type ListedQuery = z.infer<typeof listedSchema>;
export type ServedQuery = z.infer<typeof servedSchema>;
export type ChangedRevision = z.infer<typeof changedSchema>;
