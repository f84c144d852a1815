/** Names of labels, as a tree with one object per path that all lines share. */

const encoder = new TextEncoder();

export class LabelKey {
  /** Member name with the closing quote and the colon, as in JSON text; only for names without escapes. */
  readonly head: Uint8Array;
  /** Encoded prefix `,"path":`. */
  readonly written: Uint8Array;
  readonly isTop: boolean;
  /** Whether the value is returned to the caller. */
  readonly isWanted: boolean;
  /** First member of the previous record here: most lines have the same members as the line before. */
  firstMember: LabelKey | undefined;
  /** Member that followed this one in the previous record. */
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

  /** @param name of a member, or index in a list */
  child(name: string | number): LabelKey {
    const known = this.below.get(name);
    if (known) return known;
    const made = new LabelKey(this.isTop ? String(name) : `${this.path}.${name}`, this.wanted, String(name));
    this.below.set(name, made);
    return made;
  }
}
