/** Failures as the editors get them: without secrets, and JSON whatever the secrets are. */
import { PluginError } from '#backend/service-client/failures/plugin-error';
import { renderFailure, scrubbedJson } from '#backend/services/render-failure';

const logger = { log: () => undefined };

test.each([
  ['1000', { message: 'Tenant [hidden] is unknown.', code: 'query_invalid', column: 1000 }],
  ['query_invalid', { message: 'Tenant 1000 is unknown.', code: 'query_invalid', column: 1000 }],
  ['message', { message: 'Tenant 1000 is unknown.', code: 'query_invalid', column: 1000 }],
])('a secret %s is removed from texts, and from nothing else', (secret, { message, code, column }) => {
  const error = new PluginError('query_invalid', 'Tenant 1000 is unknown.', {
    status: 400,
    position: { line: 1, column: 1000 },
  });
  const { resource } = renderFailure(error, logger);
  const json = scrubbedJson({ error: resource }, (text) => text.replaceAll(secret, '[hidden]'));
  expect(JSON.parse(json)).toEqual({ error: { message, code, position: { line: 1, column } } });
});
