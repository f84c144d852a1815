/** Reads tests/corpus/attacks/ingest, whose README describes the form. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

export interface Repeat {
  readonly repeat: readonly Part[];
  readonly times: number;
  readonly between?: string | undefined;
}

export type Part =
  | string
  | { readonly hex: string }
  | Repeat
  | { readonly field: number; readonly of: readonly Part[] }
  | { readonly nested: readonly number[]; readonly depth: number; readonly in: readonly Part[] }
  | { readonly filler: number }
  | { readonly forged_record: true };

const count = z.int().min(0).max(100_000_000);
const partSchema: z.ZodType<Part> = z.lazy(() =>
  z.union([
    z.string(),
    z.strictObject({ hex: z.string().regex(/^([0-9a-f]{2} ?)*$/) }),
    z.strictObject({ repeat: partsSchema, times: count, between: z.string().optional() }),
    z.strictObject({ field: z.int().min(1).max(15), of: partsSchema }),
    z.strictObject({ nested: z.array(z.int()), depth: count, in: partsSchema }),
    z.strictObject({ filler: count }),
    z.strictObject({ forged_record: z.literal(true) }),
  ])
);
/** One part may be written without its list. */
const partsSchema = z
  .union([partSchema, z.array(partSchema)])
  .transform((given): Part[] => (Array.isArray(given) ? given : [given]));

const expectationSchema = z.strictObject({
  /** Any of these; 0: the sender gave up before an answer. */
  status: z.union([z.int(), z.array(z.int())]).transform((given) => [given].flat()),
  code: z.string().optional(),
  /** Stored now or before. */
  accepted: z.int().optional(),
  rejected: z.int().optional(),
  /** 413 says how many events a request may have, and how many this one has. */
  says_max_events: z.boolean().default(false),
});

const recipeFields = {
  route: z.enum([
    'logs',
    'otlp',
    'otlp-json',
    'loki',
    'loki-protobuf',
    'bulk',
    'collector',
    'collector-raw',
    'drain',
    'webhook',
    'syslogs',
    'mcp',
  ]),
  source: z.string(),
  /** How often the body is compressed. */
  gzip: z.int().min(0).max(2),
  /** Instead of the coding that `gzip` means. */
  content_encoding: z.string(),
  /** The compressed body stands so often in a row. */
  members: z.int(),
  /** Bytes that are missing at the end of what is sent. */
  cut: z.int(),
  /** The same request at the same time. */
  at_once: z.int(),
  /** Sends slowly, until an answer comes or it gives up. */
  pace: z.strictObject({ bytes: z.int(), every_ms: z.int(), give_up_ms: z.int() }),
  expect: expectationSchema,
};

const defaultsSchema = z.strictObject(recipeFields).partial();
const fileSchema = z.strictObject({
  defaults: defaultsSchema.default({}),
  recipes: z.array(defaultsSchema.extend({ name: z.string(), body: partsSchema })),
});
const recipeSchema = z.strictObject({
  ...recipeFields,
  name: z.string(),
  body: z.array(z.unknown()).transform((parts) => parts as readonly Part[]),
  route: recipeFields.route.default('logs'),
  source: recipeFields.source.default('edge_requests'),
  gzip: recipeFields.gzip.default(1),
  content_encoding: recipeFields.content_encoding.optional(),
  members: recipeFields.members.default(1),
  cut: recipeFields.cut.default(0),
  at_once: recipeFields.at_once.default(1),
  pace: recipeFields.pace.optional(),
});

export type Recipe = z.infer<typeof recipeSchema>;

/** @param root the folder of the project. @returns the recipes by the name of their file, in the order of the names */
export function readRecipes(root: string): ReadonlyMap<string, readonly Recipe[]> {
  const folder = join(root, 'tests', 'corpus', 'attacks', 'ingest');
  const names = readdirSync(folder).filter((name) => name.endsWith('.yaml'));
  return new Map(names.sort().map((name) => [name.replace(/\.yaml$/, ''), readFile(join(folder, name))]));
}

function readFile(path: string): readonly Recipe[] {
  const file = fileSchema.safeParse(parse(readFileSync(path, 'utf8')));
  if (!file.success) throw new Error(`${path}: ${file.error.message}`);
  const { defaults, recipes } = file.data;
  return recipes.map((given) => {
    const recipe = recipeSchema.safeParse({ ...defaults, ...given });
    if (!recipe.success) throw new Error(`${path}: ${given.name}: ${recipe.error.message}`);
    return recipe.data;
  });
}
