/** Texts with a credential after its name, quoted or as a parameter or cookie, as in headers, programs and JSON. */
import fc from 'fast-check';

export interface CredentialText {
  readonly text: string;
  /** Must not be in any result: the words of the credential. */
  readonly secrets: readonly string[];
}

const word = fc.stringMatching(/^[a-z]{3}[0-9][A-Z]{3}[0-9]$/);
const words = fc.array(word, { minLength: 1, maxLength: 3 });
/** A tab would be written `\\t` in JSON in a text, which is no blank there. */
const blanks = fc.constantFrom('', ' ', '  ');
const quote = fc.constantFrom('"', "'");
const secretName = fc.constantFrom(
  'password',
  'token',
  'x-api-key',
  'db_secret',
  'Authorization',
  'Cookie',
  'secret_key'
);
const parameterName = fc.constantFrom(
  'token',
  'response',
  'sid',
  'a',
  'oauth_signature',
  'Credential',
  'key-id',
  'pwd'
);
const scheme = fc.constantFrom('Token', 'Digest', 'OAuth', 'hmac', 'Bearer', 'Basic', 'Signature', 'Whatever');
const harmless = fc.constantFrom('realm="r"', 'qop=auth', 'nc=00000001', "uri='/x?y=z'", 'algorithm=""', 'stale=false');
const cookie = fc.constantFrom('theme=dark', 'a="b c"', 'empty=""', 'padded=YQ==', "q='1'");

const quoted = fc.tuple(quote, words).map(([mark, secrets]) => ({ text: mark + secrets.join(' ') + mark, secrets }));
const named = fc
  .tuple(parameterName, quoted)
  .map(([name, { text, secrets }]) => ({ text: `${name}=${text}`, secrets }));

/** The credential somewhere in a list. */
const within = (other: fc.Arbitrary<string>, separator: fc.Arbitrary<string>): fc.Arbitrary<CredentialText> =>
  fc
    .tuple(fc.array(other, { maxLength: 2 }), named, fc.array(other, { maxLength: 2 }), separator)
    .map(([before, { text, secrets }, after, by]) => ({ text: [...before, text, ...after].join(by), secrets }));

const withHead = (head: fc.Arbitrary<string>, value: fc.Arbitrary<CredentialText>): fc.Arbitrary<CredentialText> =>
  fc.tuple(head, value).map(([start, { text, secrets }]) => ({ text: start + text, secrets }));

const header = fc.oneof(
  withHead(
    fc
      .tuple(fc.constantFrom('Authorization', 'proxy-authorization'), blanks, scheme)
      .map(([n, b, s]) => `${n}:${b}${s} `),
    fc.oneof(named, within(fc.constantFrom('realm="r"'), fc.constantFrom(', ', ',')))
  ),
  withHead(
    fc.constantFrom('Authorization: Digest ', 'AUTHORIZATION=OAuth '),
    within(harmless, fc.constantFrom(', ', ',', ',  ', '; '))
  ),
  withHead(
    fc.constantFrom('Cookie: ', 'set-cookie: ', 'Cookie=', 'http.cookie:'),
    within(cookie, fc.constantFrom('; ', ';'))
  )
);
const assigned = withHead(
  fc.tuple(secretName, blanks, fc.constantFrom('=', ':', '=>'), blanks).map((parts) => parts.join('')),
  fc.oneof(quoted, named)
);

/** JSON in JSON: each level writes quotes and backslashes with backslashes. */
const nested = fc
  .tuple(fc.oneof(header, assigned), fc.integer({ min: 0, max: 2 }))
  .map(([{ text, secrets }, levels]) => {
    let out = text;
    for (let level = 0; level < levels; level += 1) out = JSON.stringify({ m: out, n: 1 });
    return { text: out, secrets };
  });

export const credentialText: fc.Arbitrary<CredentialText> = fc
  .tuple(
    fc.constantFrom('', 'GET /x ', '[', 'sent '),
    nested,
    fc.constantFrom('', ' next', ', status=200', '; done', '\n', '"', ' {"a":"b"}')
  )
  .map(([before, { text, secrets }, after]) => ({ text: before + text + after, secrets }));
