/**
 * Chooses the source of an event: the first of the source in the event, in its group, in the request, and the name of
 * its service.
 */
import type { Source } from '#contract/events/source';
import { HIDDEN_SOURCES_HINT } from '#contract/failures';
import { nearestName } from '#contract/nearest-name';
import { RecordRefusal } from '../record-refusal';
import type { SentEvent, SharedFacts, SourceNames } from './sent-event';

export interface SourceChooserSettings {
  readonly sources: readonly Source[];
  /** The source in the request. */
  readonly fallback: Source | null;
  readonly names: SourceNames;
  /** Whether refusals may name sources: not to a token of a tenant, for example. */
  readonly showsSources: boolean;
}

export class SourceChooser {
  private readonly byName: ReadonlyMap<string, Source>;
  private readonly fallback: Source | null;
  private readonly names: SourceNames;
  /** Names that refusals may show. */
  private readonly shown: readonly string[];
  /** Cached refusals by unknown name: a million events with a wrong name cost as little as one. */
  private readonly refusals = new Map<string, RecordRefusal>();

  constructor({ sources, fallback, names, showsSources }: SourceChooserSettings) {
    this.byName = new Map(sources.flatMap((source) => [source.name, ...source.aliases].map((name) => [name, source])));
    this.fallback = fallback;
    this.names = names;
    this.shown = showsSources ? sources.map(({ name }) => name) : [];
  }

  /** @throws RecordRefusal */
  choose(event: SentEvent, shared: SharedFacts): Source {
    const named = event.source ?? shared.source;
    const name = named ?? shared.service;
    const found = this.find(named, name);
    if (found) return found;
    throw this.refusalOf(named === null ? this.names.service : this.names.source, name);
  }

  /** The source of an event that cannot be read. Null: neither its group nor the request names one. */
  sourceOfGroup(shared: SharedFacts | RecordRefusal): Source | null {
    if (shared instanceof RecordRefusal) return this.fallback;
    return this.find(shared.source, shared.source ?? shared.service) ?? null;
  }

  /** @param named by the event or its group @param name the same, or that of the service */
  private find(named: string | null, name: string | null): Source | undefined {
    if (named === null && this.fallback) return this.fallback;
    return name === null ? undefined : this.byName.get(name);
  }

  private refusalOf(where: string, name: string | null): RecordRefusal {
    const key = name === null ? '' : `${where} ${name.slice(0, MAX_SHOWN_NAME)}`;
    const known = this.refusals.get(key);
    if (known) return known;
    const refusal = new RecordRefusal('no_source', this.explain(where, name));
    if (this.refusals.size < MAX_REFUSALS) this.refusals.set(key, refusal);
    return refusal;
  }

  private explain(where: string, name: string | null): string {
    const { source, service } = this.names;
    if (name === null)
      return `nothing names a source: set "${source}", "${service}" or the parameter "source"; ${this.list()}`;
    const what = `"${where}" is "${name.slice(0, MAX_SHOWN_NAME)}", which is no source`;
    const candidates = this.shown.length > 0 && this.refusals.size < MAX_REFUSALS ? this.byName.keys() : [];
    const meant = nearestName(name, candidates);
    return `${what}; ${meant === undefined ? this.list() : `did you mean "${meant}"?`}`;
  }

  private list(): string {
    if (this.shown.length === 0) return HIDDEN_SOURCES_HINT;
    const names = this.shown.slice(0, MAX_SHOWN_SOURCES).join(', ');
    return `the sources are ${names}${this.shown.length > MAX_SHOWN_SOURCES ? ' and others' : ''}`;
  }
}

const MAX_SHOWN_NAME = 64;
const MAX_SHOWN_SOURCES = 20;
/** Maximum number of different refusals. */
const MAX_REFUSALS = 100;
