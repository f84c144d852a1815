/** Ways to send an access token, in the OpenAPI document. */
import type { JsonSchema } from './json-types';

export const SECURITY_SCHEMES: JsonSchema = {
  apiKey: { type: 'apiKey', in: 'header', name: 'X-API-KEY' },
  bearer: { type: 'http', scheme: 'bearer' },
  basic: { type: 'http', scheme: 'basic', description: 'Any user name, and the access token as the password.' },
};

/** Any one of them. */
export const SECURITY = Object.keys(SECURITY_SCHEMES).map((name) => ({ [name]: [] }));
