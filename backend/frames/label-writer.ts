/**
 * Labels of log lines as JSON text, written straight from the text of nested records: `[{"request":{"path":"/a"}}]` gives
 * `{"request.path":"/a"}`. Records are wrapped in arrays of one, which leave no trace; longer arrays keep their positions. Nulls and empty
 * texts are left out. Thousands of lines share their keys, so that each key is escaped once.
 */

/** Of one record. */
const MAX_LABELS = 300;
/** Lists with more than one item in a record: each is passed twice, and one inside another four times. */
const MAX_RESCANS = 16;
/** Not a place in a text. */
const ELSE = -1;
const QUOTE = 0x22;
const COMMA = 0x2c;
const SCALAR = /true|false|null|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

class Key {
  /** In JSON, with quotes and colon. */
  readonly written: string;
  private readonly path: string;
  readonly isTop: boolean;
  private readonly below = new Map<string | number, Key>();
  /** Name under which the value is kept for reading. */
  readonly kept: string | undefined;
  private readonly wanted: ReadonlySet<string>;

  constructor(path: string, wanted: ReadonlySet<string>) {
    this.path = path;
    this.isTop = path === '';
    this.wanted = wanted;
    this.written = `${JSON.stringify(path)}:`;
    this.kept = wanted.has(path) ? path : undefined;
  }

  child(name: string | number): Key {
    const known = this.below.get(name);
    if (known) return known;
    const made = new Key(this.isTop ? String(name) : `${this.path}.${name}`, this.wanted);
    this.below.set(name, made);
    return made;
  }
}

export class LabelWriter {
  /** Values of the line's wanted labels. */
  kept: Record<string, string> = {};
  private readonly root: Key;
  private text = '';
  private room = 0;
  private rescans = 0;
  private json = '';
  /** Where a record that has no keys of its own stands. */
  private own: Key;

  /** @param wanted labels whose values `kept` has */
  constructor(wanted: ReadonlySet<string>) {
    this.root = new Key('', wanted);
    this.own = this.root;
  }

  begin(): void {
    this.text = '';
    this.kept = {};
  }

  /** @returns the labels of the line as a JSON object */
  end(): string {
    return `{${this.text}}`;
  }

  add(name: string, value: string): void {
    this.room = 1;
    this.write(this.root.child(name), JSON.stringify(value));
  }

  /** @param name of the column: the key of a value that is no record, and of a text that is no JSON */
  addRecord(name: string, json: string): void {
    const before = this.state();
    this.room = MAX_LABELS;
    this.rescans = MAX_RESCANS;
    this.own = this.root.child(name);
    this.json = json;
    if (this.pass(0, this.root) === json.length) return;
    this.restore(before);
    this.addParsed(name, json);
  }

  /** For what is rare: white space, escapes in keys, deep lists of lists, texts that are no JSON. */
  private addParsed(name: string, json: string): void {
    let value: unknown;
    try {
      value = JSON.parse(json);
    } catch {
      return this.add(name, json);
    }
    this.room = MAX_LABELS;
    this.visit(value, this.root);
  }

  private visit(one: unknown, key: Key): void {
    if (one === null || one === '') return;
    if (Array.isArray(one)) {
      if (one.length === 1) return this.visit(one[0], key);
      return one.forEach((each, index) => this.visit(each, key.child(index)));
    }
    if (typeof one === 'object') {
      for (const [name, inner] of Object.entries(one)) this.visit(inner, key.child(name));
      return;
    }
    this.write(key, JSON.stringify(String(one)));
  }

  /** Writes the labels of the value that starts here. @returns where it ends; `ELSE` for what `addParsed` has to read */
  private pass(at: number, key: Key): number {
    switch (this.json.charCodeAt(at)) {
      case QUOTE: {
        const end = this.stringEnd(at);
        if (end > at + 2) this.write(key, this.json.slice(at, end));
        return end;
      }
      case 0x7b:
        return this.passRecord(at, key);
      case 0x5b:
        return this.passList(at, key);
      default: {
        SCALAR.lastIndex = at;
        const text = SCALAR.exec(this.json)?.[0];
        if (text === undefined) return ELSE;
        if (text !== 'null') this.write(key, `"${text}"`);
        return at + text.length;
      }
    }
  }

  private passRecord(start: number, key: Key): number {
    const { json } = this;
    let at = start + 1;
    if (json.charCodeAt(at) === 0x7d) return at + 1;
    for (;;) {
      const end = json.charCodeAt(at) === QUOTE ? this.stringEnd(at) : ELSE;
      if (end === ELSE || json.charCodeAt(end) !== 0x3a) return ELSE;
      const name = json.slice(at + 1, end - 1);
      if (name.includes('\\')) return ELSE;
      at = this.pass(end + 1, key.child(name));
      const next = json.charCodeAt(at++);
      if (next === 0x7d) return at;
      if (next !== COMMA) return ELSE;
    }
  }

  /** Whether a list has one item shows behind the first: then that is written as the list itself. */
  private passList(start: number, key: Key): number {
    const { json } = this;
    if (json.charCodeAt(start + 1) === 0x5d) return start + 2;
    const before = this.state();
    const end = this.pass(start + 1, key);
    if (json.charCodeAt(end) === 0x5d) return end + 1;
    if (end === ELSE || this.rescans-- === 0) return ELSE;
    this.restore(before);
    let at = start;
    for (let index = 0; ; index++) {
      at = this.pass(at + 1, key.child(index));
      const next = json.charCodeAt(at);
      if (next === 0x5d) return at + 1;
      if (next !== COMMA) return ELSE;
    }
  }

  /** @param at of the opening quote @returns behind the closing one */
  private stringEnd(at: number): number {
    const { json } = this;
    for (let end = json.indexOf('"', at + 1); end !== -1; end = json.indexOf('"', end + 1)) {
      let slashes = 0;
      while (json.charCodeAt(end - 1 - slashes) === 0x5c) slashes++;
      if (slashes % 2 === 0) return end + 1;
    }
    return ELSE;
  }

  /** @param value in JSON, in quotes */
  private write(key: Key, value: string): void {
    if (this.room-- <= 0) return;
    const { written, kept } = key.isTop ? this.own : key;
    this.text += this.text === '' ? written + value : `,${written}${value}`;
    if (kept !== undefined) this.kept[kept] = JSON.parse(value) as string;
  }

  private state(): Pick<LabelWriter, 'kept'> & { readonly text: string; readonly room: number } {
    return { text: this.text, room: this.room, kept: { ...this.kept } };
  }

  private restore({ text, room, kept }: ReturnType<LabelWriter['state']>): void {
    Object.assign(this, { text, room, kept });
  }
}
