/** Reads the type of a result column, as the service writes it. */

export type ResultType =
  | { readonly kind: 'scalar'; readonly name: string }
  | { readonly kind: 'array'; readonly element: ResultType }
  | { readonly kind: 'struct'; readonly fields: ReadonlyMap<string, ResultType> };

const SCALAR = /STRING|INT64|FLOAT64|BOOL|TIMESTAMP|DATETIME|DATE|TIME|BYTES|JSON|INTERVAL/y;
/** Names are written without quotes, so one ends where a type begins. */
const NAME =
  /([^]+?) (?=(?:STRING|INT64|FLOAT64|BOOL|TIMESTAMP|DATETIME|DATE|TIME|BYTES|JSON|INTERVAL)[,>]|(?:ARRAY|STRUCT)<)/y;

/** @returns undefined for a text that it cannot read, such as fields without names */
export function readType(text: string): ResultType | undefined {
  const reader = new TypeReader(text);
  const type = reader.read();
  return reader.offset === text.length ? type : undefined;
}

class TypeReader {
  offset = 0;

  constructor(private readonly text: string) {}

  read(): ResultType | undefined {
    if (this.accept('ARRAY<')) {
      const element = this.read();
      return element !== undefined && this.accept('>') ? { kind: 'array', element } : undefined;
    }
    if (this.accept('STRUCT<')) return this.readFields();
    const name = this.match(SCALAR)?.[0];
    return name === undefined ? undefined : { kind: 'scalar', name };
  }

  private readFields(): ResultType | undefined {
    const fields = new Map<string, ResultType>();
    do {
      const name = this.match(NAME)?.[1];
      const type = name === undefined ? undefined : this.read();
      if (name === undefined || type === undefined) return undefined;
      fields.set(name, type);
    } while (this.accept(', '));
    return this.accept('>') ? { kind: 'struct', fields } : undefined;
  }

  private accept(text: string): boolean {
    const isThere = this.text.startsWith(text, this.offset);
    if (isThere) this.offset += text.length;
    return isThere;
  }

  private match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.offset;
    const found = pattern.exec(this.text);
    if (found !== null) this.offset += found[0].length;
    return found;
  }
}
