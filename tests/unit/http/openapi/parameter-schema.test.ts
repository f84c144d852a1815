/** Schemas of parameters: choices and defaults, which definitions have as texts, are values of the type. */
import { parameterSchema as declared } from '#contract/queries/saved-query';
import { parameterSchema } from '#server/http/openapi/saved-query-operation';

test.each([
  [
    { type: 'integer', enum: ['200', '500'], default: '500' },
    { type: 'integer', enum: [200, 500], default: 500 },
  ],
  [
    { type: 'integer', enum: ['007', '8'] },
    { type: 'string', enum: ['007', '8'] },
  ],
  [{ type: 'integer', default: '' }, { type: 'integer' }],
  [
    { type: 'number', enum: ['0.5', '1.50'] },
    { type: 'string', enum: ['0.5', '1.50'] },
  ],
  [
    { type: 'number', default: '0.5' },
    { type: 'number', default: 0.5 },
  ],
  [
    { type: 'boolean', default: 'false' },
    { type: 'boolean', default: false },
  ],
  [
    { type: 'text', enum: ['1', 'x'], default: '1' },
    { type: 'string', enum: ['1', 'x'], default: '1' },
  ],
  [
    { type: 'text', pattern: 'a|b' },
    { type: 'string', pattern: '^(?:a|b)$' },
  ],
])('the schema of %j', (parameter, schema) => {
  expect(parameterSchema(declared.parse({ name: 'p', ...parameter }))).toEqual(schema);
});
