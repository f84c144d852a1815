/**
 * Sources that are managed over the API: checks a change, makes the store ready for it, stores it as a new revision,
 * then serves it. One change at a time, and none while other definitions are replaced.
 */
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { ServiceError } from '#contract/errors';
import type { RevisionFacts } from '#contract/changes/revision';
import type { Source } from '#contract/events/source';
import { sharedNames } from '../definitions/check-source';
import { type ApiSource, isNamed, type Sources } from '../definitions/sources';
import { SOURCE } from '../revisions/kind';
import { completeRevision, type DefinitionChange, firstRevision, nextRevision } from '../revisions/next-revision';
import { ensureRevision, notFound, type Precondition } from '../revisions/precondition';
import type { RevisionRepository } from '../revisions/repository';
import { nameTaken, RevisionHeads } from '../revisions/revision-heads';
import type { StoredRevision } from '../revisions/revision-text';
import { ensureFileSize, ensureOfPath, sentField } from '../revisions/yaml-text';
import { readSource } from './source-text';

export interface ManagedSourcesSettings {
  readonly repository: RevisionRepository;
  readonly sources: Sources;
  /** Newest revisions at the start, deleted ones included. */
  readonly heads: readonly StoredRevision[];
  /** Where `changesSince` continues. */
  readonly cursor: string;
  /**
   * Makes the store take and read events of these sources of the API, and of no others. Resolves when it does.
   * @throws ServiceError `definition_invalid`, `source_in_use`, `backend_unavailable`; nothing changes
   */
  readonly open: (next: readonly ApiSource[]) => Promise<void>;
  /**
   * Called before a source changes or is deleted, with the sources of the API after it.
   * @throws ServiceError `source_in_use` when a syslog listener could not store its messages
   */
  readonly ensureListenersStore: (next: readonly ApiSource[]) => void;
  /** Called before a change for which the store is opened again. @throws ServiceError `rate_limited` */
  readonly admitReopening: () => void;
  /**
   * Makes the tables of a stored source as it says, also where that deletes events, as a lower retention does.
   * @throws ServiceError
   */
  readonly settle: (source: ApiSource) => Promise<void>;
  /** Drops the events of a source that the store is not open with. @throws ServiceError */
  readonly dropEvents: (source: Source) => Promise<void>;
  /** Names of saved queries that read a source. */
  readonly readersOf: (source: Source) => Promise<readonly string[]>;
  /** Runs work while nothing else changes the definitions. */
  readonly exclusively: <T>(work: () => Promise<T>) => Promise<T>;
  readonly onProblem: (problem: unknown, place: string) => void;
  readonly monotonicMs: () => number;
  /** @default 500 */
  readonly maxSources?: number;
}

/** Result of a change. */
export interface ChangedSource {
  readonly revision: StoredRevision;
  /** Null when the source was deleted. */
  readonly source: ApiSource | null;
  /** `unchanged`: the text is that of the present revision, which stays. */
  readonly outcome: 'created' | 'changed' | 'unchanged';
}

const MAX_SOURCES = 500;
/** Pause before changes of other servers that could not be served are tried again: each try may reopen the store. */
const RETRY_MS = 30_000;

export class ManagedSources {
  private readonly heads: RevisionHeads;
  private cursor: string;
  /** Newest revisions of the repository that are not served; null: none. */
  private unserved: { readonly heads: readonly StoredRevision[]; readonly retryAtMs: number } | null = null;

  constructor(private readonly settings: ManagedSourcesSettings) {
    this.heads = new RevisionHeads({ ...settings, catchUp: () => this.catchUp() });
    this.cursor = settings.cursor;
  }

  /**
   * Newest revision of a source of the API, which may have been deleted.
   * @param given name or id; also an alias of one that is present
   */
  find(given: string): RevisionFacts | undefined {
    const source = this.settings.sources.ofApi.find((each) => isNamed(each, given));
    return this.heads.find(source?.id ?? given);
  }

  read(id: string, revision: number): Promise<StoredRevision | null> {
    return this.settings.repository.read(id, revision);
  }

  history(id: string, before: number | null, limit: number): Promise<readonly RevisionFacts[]> {
    return this.settings.repository.history(id, before, limit);
  }

  /**
   * A deleted source gets its next revision, and its events back.
   * @throws ServiceError `definition_invalid`, `name_taken`, `limit_reached`, `idempotency_conflict`,
   * `backend_unavailable`
   */
  create(text: string, change: DefinitionChange): Promise<ChangedSource> {
    return this.inTurn(() => this.heads.once(change.mark, createdBy, () => this.createNew(text, change)));
  }

  /**
   * Replaces the definition, or creates the source.
   *
   * @param name a new source gets this name
   * @throws ServiceError those of `create`; `revision_conflict`, `source_not_found`, `managed_elsewhere`,
   * `source_in_use`
   */
  replace(name: string, text: string, expected: Precondition, change: DefinitionChange): Promise<ChangedSource> {
    return this.inTurn(async () => {
      const head = this.live(name);
      ensureRevision(SOURCE, expected, head);
      if (head) return this.update(head, text, change);
      ensureOfPath(text, name);
      return this.createNew(text, change);
    });
  }

  /**
   * @param edit makes the new text from the present one
   * @throws ServiceError those of `replace`
   */
  change(
    name: string,
    edit: (text: string) => string,
    expected: Precondition,
    change: DefinitionChange
  ): Promise<ChangedSource> {
    return this.inTurn(async () => {
      const head = this.existing(name, expected);
      return this.update(head, edit(await this.heads.textOf(head)), change);
    });
  }

  /**
   * @param dropsEvents whether its events are deleted too; otherwise they stay in the store
   * @throws ServiceError `revision_conflict`, `source_not_found`, `managed_elsewhere`, `source_in_use`;
   * `backend_unavailable` with `reason: events_left` when the source was deleted and its events were not
   */
  remove(name: string, expected: Precondition, change: DefinitionChange, dropsEvents: boolean): Promise<ChangedSource> {
    return this.inTurn(async () => {
      const head = this.existing(name, expected);
      const former = this.present(head)!;
      const readers = await this.settings.readersOf(former);
      if (readers.length > 0) throw sourceInUse(former, readers);
      this.settings.ensureListenersStore(this.with(head.id, null));
      this.settings.admitReopening();
      const revision = completeRevision(nextRevision(head, 'delete', change), former, null, null);
      await this.commit(revision, null, change, dropsEvents ? { events: 'deleted' } : undefined);
      if (dropsEvents) await this.drop(former);
      return { revision, source: null, outcome: 'changed' };
    });
  }

  /**
   * Makes an earlier definition the newest revision, of a deleted source too.
   * @param head of the source
   * @throws ServiceError `revision_not_found`, and those of `create` and `replace`
   */
  restore(
    head: RevisionFacts,
    revision: number,
    expected: Precondition | null,
    change: DefinitionChange
  ): Promise<ChangedSource> {
    return this.inTurn(() =>
      this.heads.once(change.mark, restoredBy, async () => {
        const present = this.heads.get(head.id);
        if (!present) throw notFound(SOURCE);
        if (expected) ensureRevision(SOURCE, expected, present);
        const stored = await this.read(head.id, revision);
        if (!stored || stored.text === null) throw revisionNotFound(stored !== null);
        if (present.action === 'delete') this.ensureRoom();
        const restored = await this.update(present, stored.text, change, 'restore');
        return restored.outcome === 'unchanged' ? restored : { ...restored, outcome: 'changed' };
      })
    );
  }

  /** Serves changes of other servers. @returns whether all could be served */
  follow(): Promise<boolean> {
    return this.settings.exclusively(async () => {
      await this.catchUp();
      return this.unserved === null;
    });
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.settings.exclusively(async () => {
      await this.catchUp();
      return work();
    });
  }

  private async catchUp(): Promise<void> {
    const { repository, onProblem, monotonicMs, open } = this.settings;
    const { heads, unreadable, isWhole, cursor } = await repository.changesSince(this.cursor);
    for (const revision of unreadable) onProblem(revision.error, repository.placeOf(revision));
    this.cursor = cursor;
    const waiting = this.unserved?.heads.filter(({ id }) => !heads.some((head) => head.id === id)) ?? [];
    const known = isWhole ? heads : [...waiting, ...heads];
    const changed = known.filter(({ id, revision }) => isWhole || (this.heads.get(id)?.revision ?? 0) < revision);
    const absent = new Set(
      isWhole ? this.heads.absentFrom(new Set([...heads, ...unreadable].map(({ id }) => id))) : []
    );
    if (changed.length === 0 && absent.size === 0) return;
    const isTooEarly = heads.length === 0 && this.unserved !== null && monotonicMs() < this.unserved.retryAtMs;
    if (isTooEarly) return;
    const next = new Map(
      this.settings.sources.ofApi.filter(({ id }) => !absent.has(id)).map((each) => [each.id, each])
    );
    try {
      for (const { id, text } of changed) {
        if (text === null) next.delete(id);
        else next.set(id, readSource(text, id));
      }
      await open([...next.values()]);
    } catch (error) {
      // Reported once, and tried again after a pause.
      const isReported = this.unserved !== null && heads.length === 0;
      if (!isReported) onProblem(error, changed.map((revision) => repository.placeOf(revision)).join(', '));
      this.unserved = { heads: changed, retryAtMs: monotonicMs() + RETRY_MS };
      return;
    }
    this.unserved = null;
    this.heads.remove(absent);
    for (const revision of changed) this.heads.set(revision);
  }

  private async createNew(text: string, change: DefinitionChange): Promise<ChangedSource> {
    this.ensureRoom();
    const sent = sentField(text, 'id')?.toLowerCase();
    const deleted = this.deletedAs(sentField(text, 'name'), sent);
    if (deleted) return this.update(deleted, text, change, 'restore');
    const id = sent ?? randomUUID();
    if (this.heads.get(id)) throw nameTaken('id', id);
    ensureFileSize(text);
    const source = this.checked(text, id);
    const revision = completeRevision(firstRevision(id, change), null, source, text);
    await this.commit(revision, source, change);
    return { revision, source, outcome: 'created' };
  }

  /** @throws ServiceError `limit_reached` */
  private ensureRoom(): void {
    const max = this.settings.maxSources ?? MAX_SOURCES;
    if (this.settings.sources.ofApi.length < max) return;
    throw new ServiceError('limit_reached', `There are ${max} sources of the API already.`, { max });
  }

  private deletedAs(name: string | undefined, id: string | undefined): RevisionFacts | undefined {
    return [...this.heads.all]
      .filter((head) => head.action === 'delete' && head.name === name && (id === undefined || head.id === id))
      .sort((a, b) => (a.time < b.time ? 1 : -1))[0];
  }

  private async update(
    head: RevisionFacts,
    text: string,
    change: DefinitionChange,
    action: 'update' | 'restore' = 'update'
  ): Promise<ChangedSource> {
    ensureUnchanged('id', sentField(text, 'id')?.toLowerCase(), head.id);
    ensureUnchanged('name', sentField(text, 'name'), head.name);
    const former = this.present(head);
    if (former && (await this.heads.textOf(head)) === text)
      return { revision: (await this.read(head.id, head.revision))!, source: former, outcome: 'unchanged' };
    ensureFileSize(text);
    const source = this.checked(text, head.id);
    if (former) {
      this.settings.ensureListenersStore(this.with(head.id, source));
      this.settings.admitReopening();
    }
    const revision = completeRevision(nextRevision(head, action, change), former ?? null, source, text);
    await this.commit(revision, source, change);
    return { revision, source, outcome: action === 'restore' ? 'created' : 'changed' };
  }

  /** @throws ServiceError `definition_invalid`, `name_taken` */
  private checked(text: string, id: string): ApiSource {
    const source = readSource(text, id);
    const others = this.settings.sources.all.filter((other) => other.id !== id);
    const [taken] = sharedNames(others, [source]);
    if (taken) throw nameTaken(taken.path[0] === 'id' ? 'id' : 'name', taken.name);
    return source;
  }

  /** Opens the store with the change, then stores it: what the store refuses is not stored. */
  private async commit(
    revision: StoredRevision,
    source: ApiSource | null,
    change: DefinitionChange,
    details?: Readonly<Record<string, unknown>>
  ): Promise<void> {
    const former = this.present(revision) ?? null;
    const before = this.heads.get(revision.id)?.revision;
    const next = this.with(revision.id, source);
    if (!isDeepStrictEqual(next, this.settings.sources.ofApi)) await this.settings.open(next);
    try {
      await this.heads.append(revision, change, details);
    } catch (error) {
      // Otherwise the source was read from the repository meanwhile, and is served as it is there.
      if (this.heads.get(revision.id)?.revision === before) await this.undo(revision, former);
      throw error;
    }
    this.heads.set(revision);
    if (source !== null) await this.settle(revision, source);
  }

  /** The change is stored: where this fails, the tables keep events for longer, and the server deletes them. */
  private async settle(revision: StoredRevision, source: ApiSource): Promise<void> {
    const { settle, repository, onProblem } = this.settings;
    await settle(source).catch((error: unknown) => onProblem(error, repository.placeOf(revision)));
  }

  /** After the deletion is stored: a source that stays must have its events. */
  private async drop(source: ApiSource): Promise<void> {
    const { dropEvents, onProblem } = this.settings;
    try {
      await dropEvents(source);
    } catch (error) {
      onProblem(error, `the events of the source ${source.name}`);
      throw new ServiceError('backend_unavailable', 'The source was deleted, but its events could not be.', {
        reason: 'events_left',
        hint: `create the source "${source.name}" again, and delete it again with events=delete`,
      });
    }
  }

  private async undo(revision: StoredRevision, former: ApiSource | null): Promise<void> {
    const { sources, open, repository, onProblem } = this.settings;
    const next = this.with(revision.id, former);
    await open(next).catch((error: unknown) => onProblem(error, repository.placeOf(revision)));
    // Events of a source that is not stored would be lost at the next start, so none is taken.
    sources.replace({ ofApi: next });
  }

  /** The sources of the API with one in this form. @param source null: without it */
  private with(id: string, source: ApiSource | null): readonly ApiSource[] {
    const { ofApi } = this.settings.sources;
    if (source === null) return ofApi.filter((each) => each.id !== id);
    return ofApi.some((each) => each.id === id)
      ? ofApi.map((each) => (each.id === id ? source : each))
      : [...ofApi, source];
  }

  private present({ id }: Pick<RevisionFacts, 'id'>): ApiSource | undefined {
    return this.settings.sources.ofApi.find((source) => source.id === id);
  }

  /** The newest revision of a source that is not deleted. @throws ServiceError `managed_elsewhere` */
  private live(name: string): RevisionFacts | undefined {
    const { sources } = this.settings;
    if (sources.ofFiles.some((source) => isNamed(source, name))) throw managedInFile(name);
    const source = sources.ofApi.find((each) => isNamed(each, name));
    return source && this.heads.get(source.id);
  }

  private existing(name: string, expected: Precondition): RevisionFacts {
    const head = this.live(name);
    if (!head) throw notFound(SOURCE);
    ensureRevision(SOURCE, expected, head);
    return head;
  }
}

export function managedInFile(name: string): ServiceError {
  return new ServiceError('managed_elsewhere', `The source "${name}" is managed in a file.`, {
    hint: 'change sources.yaml of the server, and reload it (SIGHUP) or push it (lqe catalog push)',
  });
}

/** @param readers names of saved queries */
export function sourceInUse({ name }: Pick<Source, 'name'>, readers: readonly string[]): ServiceError {
  return new ServiceError('source_in_use', `Saved queries read the source "${name}".`, {
    endpoints: readers.slice(0, MAX_LISTED),
    hint: 'change or delete these saved queries first',
  });
}

export const MAX_LISTED = 20;

/** Senders and stored events go by the name, and revisions by the id. @throws ServiceError `definition_invalid` */
function ensureUnchanged(field: 'id' | 'name', sent: string | undefined, present: string): void {
  if (sent === undefined || sent === present) return;
  throw new ServiceError('definition_invalid', `The ${field} of a source does not change.`, {
    problems: [{ path: [field], reason: `the ${field} is ${present}` }],
    ...(field === 'name' && { hint: 'give the source an alias, or create another source' }),
  });
}

/** A revision that deletes has no definition. */
function revisionNotFound(isDeletion: boolean): ServiceError {
  return new ServiceError(
    'revision_not_found',
    isDeletion ? 'This revision deleted the source. Restore one before it.' : 'There is no such revision.'
  );
}

const createdBy = (revision: StoredRevision): ChangedSource | null => resultOf(revision, 'created');
const restoredBy = (revision: StoredRevision): ChangedSource | null => resultOf(revision, 'changed');

/** Null for a revision that deletes. */
function resultOf(revision: StoredRevision, outcome: ChangedSource['outcome']): ChangedSource | null {
  return revision.text === null ? null : { revision, source: readSource(revision.text, revision.id), outcome };
}
