/** The JSON body of a call. */
import type { JsonSchema } from './json-types';

/** A value of a parameter. */
export const SCALAR: JsonSchema = { type: ['string', 'number', 'boolean'] };

/** @param params schema of the parameters */
export function callBody(params: JsonSchema, hasSandbox: boolean): JsonSchema {
  const text = (description: string): JsonSchema => ({ type: 'string', description });
  return {
    type: 'object',
    properties: {
      params,
      ...(hasSandbox && {
        sql: text('An ad-hoc SELECT in the sandbox of the saved query.'),
        lql: text(
          'A one-line LQL query in the sandbox, like `f:web_logs m.level:error t:last@1h`, in the place of `sql`.'
        ),
      }),
    },
  };
}
