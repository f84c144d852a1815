/** Names of labels: one object for each path, however many lines have it. */

const encoder = new TextEncoder();

export class LabelKey {
  /** Name in its record with the closing quote and the colon, as JSON text has them; only for names without escapes. */
  readonly head: Uint8Array;
  /** `,"path":` in JSON. */
  readonly written: Uint8Array;
  readonly isTop: boolean;
  /** Whether the value is wanted for reading. */
  readonly isWanted: boolean;
  /** Member that came first the last time: most lines have the members of the line before. */
  firstMember: LabelKey | undefined;
  /** Member that followed this one in its record the last time. */
  nextMember: LabelKey | undefined;
  private readonly below = new Map<string | number, LabelKey>();

  /** @param path dotted; '' for the record itself */
  constructor(
    readonly path: string,
    private readonly wanted: ReadonlySet<string>,
    name = path
  ) {
    this.isTop = path === '';
    this.isWanted = wanted.has(path);
    this.head = encoder.encode(`${name}":`);
    this.written = encoder.encode(`,${JSON.stringify(path)}:`);
  }

  /** @param name of a member, or place in a list */
  child(name: string | number): LabelKey {
    const known = this.below.get(name);
    if (known) return known;
    const made = new LabelKey(this.isTop ? String(name) : `${this.path}.${name}`, this.wanted, String(name));
    this.below.set(name, made);
    return made;
  }
}
