/** Difficult texts for redaction: pieces of personal data, joined with the text that surrounds them in logs. */
import fc from 'fast-check';

const octet = fc.oneof(fc.integer({ min: 0, max: 255 }).map(String), fc.constantFrom('0', '256', '007', '1'));
const hexGroup = fc.oneof(
  fc.integer({ min: 0, max: 0xffff }).map((n) => n.toString(16)),
  fc.constantFrom('dead', 'DB8', '0', 'f')
);

const ipv4Text = fc.array(octet, { minLength: 4, maxLength: 4 }).map((parts) => parts.join('.'));
const ipv6Text = fc.oneof(
  fc.array(hexGroup, { minLength: 8, maxLength: 8 }).map((groups) => groups.join(':')),
  fc
    .tuple(fc.array(hexGroup, { maxLength: 4 }), fc.array(hexGroup, { maxLength: 3 }))
    .map(([left, right]) => `${left.join(':')}::${right.join(':')}`),
  ipv4Text.map((address) => `::ffff:${address}`)
);
const emailText = fc
  .tuple(
    fc.constantFrom('bob', 'a.b', 'x+y', 'müller', '%41', "o'neil"),
    fc.constantFrom('@', '%40', '\\u0040'),
    fc.constantFrom('example.com', 'x.co.uk', 'host', '2x.png', 'exämple.de', '1.2.3')
  )
  .map((parts) => parts.join(''));
const cardText = fc.constantFrom(
  '4111111111111111',
  '4111 1111 1111 1111',
  '5105-1051-0510-5100',
  '378282246310005',
  '6011+1111+1111+1117',
  '4222222222222',
  '4111.1111.1111.1111',
  '4111\t1111\t1111\t1111',
  '%B4111111111111111^'
);
const tokenText = fc.constantFrom(
  'lqe_abcdefgh_0123456789012345678901234567890123456789012_abcdef',
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
  'AKIAIOSFODNN7EXAMPLE',
  'ghp_0123456789abcdefghijklmnopqrstuvwxyz',
  'sk_live_0123456789abcdef',
  'xoxb-123456789012-abcdefghij',
  'Bearer abcDEF123456',
  'Basic dXNlcjpwYXNz',
  'password=hunter22',
  '"db_password":"hunter 22"',
  String.raw`{\"api_key\":\"hun\\\"ter22\"}`,
  "token='hunter22'",
  'Authorization: Token hunter22',
  'Authorization: Token%20hunter22',
  'Cookie: sid=hunter22; b=c',
  'login user:p@ss@db',
  'postgres://user:secret@db',
  '-----BEGIN PRIVATE KEY-----\nMIIEvQ==\n-----END PRIVATE KEY-----'
);

/** One of everything that is to be hidden. */
const secretText = fc.oneof(ipv4Text, ipv6Text, emailText, cardText, tokenText);

const glue = fc.constantFrom(
  ...[
    '',
    ' ',
    ',',
    '.',
    ':',
    '::',
    ':::',
    '-',
    '_',
    '/',
    '=',
    '@',
    '%',
    '%20',
    '%09',
    '%2520',
    '%3A',
    '%3a%3A',
    '%2E',
    '%31',
    '\\n',
    '\\t',
    '\\u0031',
    '\\u002e',
    '\\u003A',
    '\\',
    '\\\\',
    '"',
    "'",
    '[',
    ']',
    '(',
    '<',
    '&',
    '+',
    '#',
    '\n',
    '\t',
    '\u0007',
    '\0',
    'v',
    'n',
    'f',
    'e',
    'x',
    'std::',
    'Foo::Bar',
    'Chrome/',
    '-rc1',
    '1',
    '12',
    '123',
    '4',
    '41',
    '22',
    '0x',
    'ü',
    '😀',
    '[REDACTED:ip]',
    '[REDACTED:token]',
    'eyJ',
    'sk-',
    '://',
    'Bearer ',
    'Basic%20',
    'Authorization: ',
    'Token+',
    'token=',
    'ip-10-0-0-',
    'password',
    'secret: ',
    'cookie',
    "'",
    '\\"',
    '-203-0-113-7.dsl',
    '.443',
  ]
);

const mangled = fc
  .tuple(secretText, fc.integer({ min: 0, max: 80 }), fc.constantFrom('percent', 'unicode', 'none'))
  .map(([text, at, how]) => {
    const place = at % Math.max(1, text.length);
    const code = text.charCodeAt(place);
    if (how === 'none' || code < 0x20 || code > 0x7e) return text;
    const hex = code.toString(16);
    return text.slice(0, place) + (how === 'percent' ? `%${hex}` : `\\u00${hex}`) + text.slice(place + 1);
  });

export const hardText = fc
  .array(fc.oneof(glue, secretText, mangled, fc.string({ maxLength: 4 })), { maxLength: 7 })
  .map((parts) => parts.join('').toWellFormed());
