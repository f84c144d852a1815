/** Tokenizer for the service's SQL with Grafana's macros and variables, for parsing and formatting. */

export interface SqlToken {
  readonly kind: 'word' | 'name' | 'string' | 'number' | 'period' | 'variable' | 'operator' | 'comment';
  /** Text as written. */
  readonly text: string;
  /** Whether white space precedes it. */
  readonly isSpaced: boolean;
  /** Whether a line break precedes it. */
  readonly isOnNewLine: boolean;
}

const BLANKS = /[\s\u0085]*/y;
/** Patterns in order of precedence. */
const PATTERNS: ReadonlyArray<readonly [SqlToken['kind'], RegExp]> = [
  ['comment', /(?:--|#)[^\r\n]*|\/\*[\s\S]*?\*\//y],
  // Triple quotes precede single ones, and raw strings precede words.
  ['string', /r?(?:'''(?:\\[\s\S]|(?!''')[^\\])*'''|"""(?:\\[\s\S]|(?!""")[^\\])*""")/iy],
  ['string', /r?(?:'(?!'')(?:\\.|''|[^'\\\r\n])*'|"(?!"")(?:\\.|""|[^"\\\r\n])*"|''|"")/iy],
  ['name', /`(?:\\.|[^`\\\r\n])+`/y],
  ['variable', /\$\{[^}\r\n]*\}|\$\w+|\[\[\w+(?::\w+)?\]\]|@\w+/y],
  ['number', /0x[0-9a-f]+(?![\w.])|(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?(?!\w)/iy],
  ['period', /\d+[smhd](?!\w)/y],
  ['word', /[A-Za-z_]\w*/y],
  [
    'operator',
    /(?!\/\*)(?:<=>|->>|<=|>=|<>|!=|!~|\|\||\|>|<<|>>|::|:=|==|&&|->|=>|\*\*|\/\/|[()[\],.;+\-*/%=<>&|^~:?!])/y,
  ],
];

/** Undefined if the text cannot be tokenized: an unterminated quote or comment, or an invalid character. */
export function tokenizeSql(text: string): readonly SqlToken[] | undefined {
  const tokens: SqlToken[] = [];
  let offset = 0;
  for (;;) {
    const blanks = matchAt(BLANKS, text, offset) ?? '';
    offset += blanks.length;
    if (offset >= text.length) return tokens;
    const found = tokenAt(text, offset);
    if (!found) return undefined;
    tokens.push({ ...found, isSpaced: blanks !== '', isOnNewLine: /[\r\n]/.test(blanks) });
    offset += found.text.length;
  }
}

function tokenAt(text: string, offset: number): Pick<SqlToken, 'kind' | 'text'> | undefined {
  for (const [kind, pattern] of PATTERNS) {
    const found = matchAt(pattern, text, offset);
    if (found !== undefined) return { kind, text: found };
  }
  return undefined;
}

function matchAt(pattern: RegExp, text: string, offset: number): string | undefined {
  pattern.lastIndex = offset;
  return pattern.exec(text)?.[0];
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** Decodes a string literal; undefined for forms that the builder does not print or keep. */
export function stringValue(literal: string): string | undefined {
  const isRaw = /^r/i.test(literal);
  const quoted = isRaw ? literal.slice(1) : literal;
  if (/^('''|""")/.test(quoted)) return undefined;
  const quote = quoted.charAt(0);
  const inner = quoted.slice(1, -1);
  if (isRaw) return inner.includes(quote) ? undefined : inner;
  let isKnown = true;
  const value = inner.replace(
    /\\(x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|[\s\S])|''|""/g,
    (written: string, escaped?: string) => {
      if (escaped === undefined) return written.charAt(0) === quote ? quote : written;
      if (escaped.length > 1) return String.fromCharCode(Number.parseInt(escaped.slice(1), 16));
      if (/[\\'"`]/.test(escaped)) return escaped;
      if (ESCAPES[escaped] === undefined) isKnown = false;
      return ESCAPES[escaped] ?? '';
    }
  );
  return isKnown ? value : undefined;
}

/** Prints a literal with `$` and `[[` escaped, so that no variable or macro is replaced in it. */
export function printString(value: string): string {
  const escaped = value.replace(/[\\'$\u0000-\u001f\u007f]|\[(?=\[)/g, (character) => {
    if (character === '\\' || character === "'") return `\\${character}`;
    const named = Object.entries(ESCAPES).find(([, meant]) => meant === character)?.[0];
    return named ? `\\${named}` : `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
  });
  return `'${escaped}'`;
}

/** Reserved words of the dialect, which need backticks as names. */
const RESERVED = new Set(
  `ALL AND ANY ARRAY AS ASC ASSERT_ROWS_MODIFIED AT BETWEEN BY CASE CAST COLLATE CONTAINS CREATE CROSS CUBE CURRENT
   DEFAULT DEFINE DESC DISTINCT ELSE END ENUM ESCAPE EXCEPT EXCLUDE EXISTS EXTRACT FALSE FETCH FOLLOWING FOR FROM FULL
   GROUP GROUPING GROUPS HASH HAVING IF IGNORE IN INNER INTERSECT INTERVAL INTO IS JOIN LATERAL LEFT LIKE LIMIT LOOKUP
   MERGE NATURAL NEW NO NOT NULL NULLS OF ON OR ORDER OUTER OVER PARTITION PRECEDING PROTO QUALIFY RANGE RECURSIVE
   RESPECT RIGHT ROLLUP ROWS SELECT SET SOME STRUCT TABLESAMPLE THEN TO TREAT TRUE UNBOUNDED UNION UNNEST USING WHEN
   WHERE WINDOW WITH WITHIN CURRENT_TIMESTAMP CURRENT_DATETIME CURRENT_DATE CURRENT_TIME`.split(/\s+/)
);

export function isReserved(word: string): boolean {
  return RESERVED.has(word.toUpperCase());
}

export function printName(name: string): string {
  if (/^[A-Za-z_]\w*$/.test(name) && !isReserved(name)) return name;
  return `\`${printString(name).slice(1, -1).replace(/`/g, '\\`')}\``;
}
