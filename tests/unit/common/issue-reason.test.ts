import { z } from 'zod';
import { issueReason } from '#server/common/issue-reason';

it.each<[schema: z.ZodType, value: unknown, reason: string]>([
  [z.string(), undefined, 'is missing'],
  [z.string(), null, 'must be a text, not null'],
  [z.number(), 'x', 'must be a number, not a text'],
  [z.boolean(), 'yes', 'must be true or false, not a text'],
  [z.string(), true, 'must be a text, not a boolean'],
  [z.record(z.string(), z.string()), [], 'must be an object, not a list'],
  [z.int(), 0.5, 'must be a whole number'],
  [z.int().min(1), 0, 'must be at least 1'],
  [z.number().gt(0), 0, 'must be more than 0'],
  [z.int().max(5), 9, 'must be at most 5'],
  [z.string().min(1), '', 'must have at least 1 character'],
  [z.string().max(2), 'abc', 'must have at most 2 characters'],
  [z.array(z.string()).min(1), [], 'must have at least 1 item'],
  [z.enum(['x', 'y']), 'q', 'must be one of x, y'],
  [z.literal(true), false, 'must be true'],
  [z.string().regex(/^a$/), 'b', 'must match the pattern /^a$/'],
  [z.string().regex(/^a$/, 'must be an a'), 'b', 'must be an a'],
  [z.iso.datetime(), 'x', 'must be a datetime'],
  [z.union([z.string(), z.number()]), [], 'has a form that is not allowed'],
])('of the schema %# the value %j %s', (schema, value, reason) => {
  expect(schema.safeParse(value).error?.issues.map(issueReason)).toEqual([reason]);
});
