/** Reads tests/corpus/attacks, whose README describes the form. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

const FOLDER = join(__dirname, '../../corpus/attacks');

const outcome = z.union([z.string(), z.number()]).transform(String);
const outcomes = z.union([outcome, z.array(outcome)]).transform((given) => [given].flat());

const stepSchema = z.strictObject({
  token: z.string().optional(),
  endpoint: z.string().optional(),
  /** Ad-hoc text, sent in a JSON body. */
  sql: z.string().optional(),
  /** The same in LQL. */
  lql: z.string().optional(),
  /** The query string of a GET, as written. */
  get: z.string().optional(),
  /** A whole request, as in bad-requests.yaml. */
  request: z.string().optional(),
  /** The body of a request, or a batch of log events when there is no request. */
  body: z.string().optional(),
  source: z.string().optional(),
  type: z.string().optional(),
  /** Text to be gzipped into the body. */
  gzip: z.string().optional(),
  headers: z.record(z.string(), z.string()).optional(),
  /** `200`, `400 sandbox_violation`; any of them. */
  expect: outcomes.optional(),
  /** The whole result. */
  rows: z.array(z.unknown()).optional(),
  /** Texts that must be in the answer. */
  contains: z.array(z.string()).optional(),
  /** Texts that must not be in the answer. */
  never: z.array(z.string()).optional(),
  /** Headers that the answer must have; null: must not have. */
  answer: z.record(z.string(), z.string().nullable()).optional(),
});

const caseSchema = stepSchema.extend({
  attack: z.string(),
  steps: z.array(stepSchema).optional(),
  /** This many at once. */
  at_once: z.number().optional(),
});

const classSchema = z.strictObject({
  class: z.string(),
  /** The attack, and what must be true after any response. */
  holds: z.string(),
  /** Burns processor or memory: probes must be answered all the while. Run in a `heavy` mode only. */
  heavy: z.boolean().default(false),
  /** The engine process may be ended and started again. */
  engine_may_end: z.boolean().default(false),
  defaults: stepSchema.default({}),
  cases: z.array(caseSchema),
});

const modeSchema = z.strictObject({
  name: z.string(),
  /** For heavy classes, and no others. */
  heavy: z.boolean().default(false),
  /**
   * Timeout of every saved query in this mode; null: as it is in the files, so that a busy machine does not end what is
   * quick.
   */
  timeout_ms: z.number().nullable().default(null),
  /** Cache time of every saved query in this mode. */
  cache_seconds: z.number().nullable().default(null),
  /** Settings of the server in this mode. */
  settings: z.record(z.string(), z.string()).default({}),
  /** Each case is sent this many times; all answers must be alike. */
  times: z.number().default(1),
  headers: z.record(z.string(), z.string()).default({}),
  /** Texts that no answer may hold in this mode. */
  never: z.array(z.string()).default([]),
  /** Classes that say nothing about this mode. */
  without: z.array(z.string()).default([]),
});
const modesSchema = z.array(modeSchema);

export type AttackStep = z.infer<typeof stepSchema>;
export type AttackCase = z.infer<typeof caseSchema>;
export type AttackClass = z.infer<typeof classSchema>;
export type AttackMode = z.infer<typeof modeSchema>;

/** No cache, no redaction, each attack once. */
export const PLAIN_MODE: AttackMode = modeSchema.parse({ name: 'plain' });

export function readAttackModes(): readonly AttackMode[] {
  return modesSchema.parse(parse(readFileSync(join(FOLDER, 'modes.yaml'), 'utf8')));
}

export function readAttackClasses(): readonly AttackClass[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.yaml') && name !== 'modes.yaml')
    .sort()
    .map((name) => {
      const parsed = classSchema.safeParse(parse(readFileSync(join(FOLDER, name), 'utf8')));
      if (!parsed.success) throw new Error(`${name}: ${parsed.error.message}`);
      return parsed.data;
    });
}

/** The steps of a case, each with what the class says for all. */
export function stepsOf({ defaults }: AttackClass, attack: AttackCase): readonly AttackStep[] {
  const own: AttackStep = { ...attack };
  for (const name of ['attack', 'steps', 'at_once']) delete (own as Record<string, unknown>)[name];
  return (attack.steps ?? [own]).map((step) => ({ ...defaults, ...step }));
}

/**
 * `{{text*20}}` repeats; `{{each 3 , :a$i}}` is `a0,a1,a2`, `$h` being the number before; `{{word}}` is a word of the
 * fixture.
 */
export function expand(text: string, words: Readonly<Record<string, string>>): string {
  return text
    .replace(/\{\{each (\d+) (.*?) :(.*?)\}\}/gs, (_all, count: string, separator: string, item: string) =>
      Array.from({ length: Number(count) }, (_, i) =>
        item.replaceAll('$i', String(i)).replaceAll('$h', String(i - 1))
      ).join(separator)
    )
    .replace(/\{\{((?:(?!\}\}).)+?)\*(\d+)\}\}/gs, (_all, part: string, count: string) => part.repeat(Number(count)))
    .replace(/\{\{(\w+)\}\}/g, (_all, word: string) => {
      const value = words[word];
      if (value === undefined) throw new Error(`no word ${word}`);
      return value;
    });
}
