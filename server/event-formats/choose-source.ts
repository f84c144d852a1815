/** Which source an event belongs to: the first of what it says itself, what its group says, what the request says, and who sent it. */
import type { Source } from '#contract/source';
import { nearestName } from '../nearest-name';
import { RecordRefusal } from './record-refusal';
import type { SentEvent, SharedFacts, SourceNames } from './sent-event';

export class SourceChooser {
  private readonly byName: ReadonlyMap<string, Source>;
  private readonly fallback: Source | null;
  private readonly names: SourceNames;

  /** @param fallback named by the request */
  constructor(sources: readonly Source[], fallback: Source | null, names: SourceNames) {
    this.byName = new Map(sources.flatMap((source) => [source.name, ...source.aliases].map((name) => [name, source])));
    this.fallback = fallback;
    this.names = names;
  }

  /** @throws RecordRefusal */
  choose(event: SentEvent, shared: SharedFacts): Source {
    const named = event.source ?? shared.source;
    if (named !== null) return this.byName.get(named) ?? this.refuse(`"${this.names.source}"`, named);
    if (this.fallback) return this.fallback;
    if (shared.service === null) {
      throw new RecordRefusal(
        'no_source',
        `nothing names a source: set "${this.names.source}", "${this.names.service}" or the parameter "source"${this.list()}`
      );
    }
    return this.byName.get(shared.service) ?? this.refuse(`"${this.names.service}"`, shared.service);
  }

  private refuse(where: string, name: string): never {
    const meant = nearestName(name, [...this.byName.keys()]);
    const hint = meant === undefined ? this.list() : `; did you mean "${meant}"?`;
    throw new RecordRefusal('no_source', `${where} is "${name.slice(0, MAX_SHOWN_NAME)}", which is no source${hint}`);
  }

  private list(): string {
    const names = [...new Set([...this.byName.values()].map(({ name }) => name))];
    const shown = names.slice(0, MAX_SHOWN_SOURCES).join(', ');
    return `; the sources are ${shown}${names.length > MAX_SHOWN_SOURCES ? ' and others' : ''}`;
  }
}

const MAX_SHOWN_NAME = 64;
const MAX_SHOWN_SOURCES = 20;
