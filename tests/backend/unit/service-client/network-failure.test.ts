import { networkFailure } from '#backend/service-client/failures/network-failure';

test.each([
  [
    'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED',
    /^No secure connection .* it asks for a client certificate, and the data source has none\.$/,
  ],
  [
    'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA',
    /^No secure connection .* it does not know the authority of the client certificate\.$/,
  ],
  ['ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE', /^No secure connection .* it refuses the client certificate\.$/],
  ['ERR_SSL_SOMETHING_NEW', /^No secure connection .* the TLS handshake failed\.$/],
  ['EHOSTUNREACH', /cannot be reached: there is no way to that host\.$/],
  ['ENEW', /cannot be reached: the connection failed \(ENEW\)\.$/],
])('the network failure %s of a server is described in a sentence', (code, sentence) => {
  const error = Object.assign(new Error('raw text of the library'), { code });
  expect(networkFailure(error, 'https://logs.example.org', 1000).message).toMatch(sentence);
});

test.each([
  [
    'Proxy response (403) !== 200 when HTTP Tunneling',
    'AbortError',
    /^The proxy does not connect to the service at logs/,
  ],
  ['Proxy response (407) !== 200 when HTTP Tunneling', 'AbortError', /^The proxy asks for a login \(status 407\)\.$/],
  ['Proxy Authentication Required (407)', 'InvalidArgumentError', /^The proxy asks for a login \(status 407\)\.$/],
])('a proxy that refuses with "%s" is a failure, not a cancellation', (text, name, sentence) => {
  const error = Object.assign(new Error(text), { name });
  expect(networkFailure(error, 'https://logs.example.org', 1000)).toMatchObject({
    code: 'unreachable',
    message: expect.stringMatching(sentence),
    facts: { hint: expect.stringContaining('HTTPS_PROXY') },
  });
});
