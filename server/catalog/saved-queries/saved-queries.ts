/**
 * Saved queries that are managed over the API: checks a change, stores it as a new revision, then serves it. One change
 * at a time; running calls end with the definition they began with.
 */
import { isDeepStrictEqual } from 'node:util';
import { ServiceError } from '#contract/errors';
import type { RevisionFacts } from '#contract/changes/revision';
import type { SavedQuery } from '#contract/queries/saved-query';
import { SerialQueue } from '../../common/scheduling/serial-queue';
import type { Amendment, Definitions } from '../definitions/definitions';
import { SAVED_QUERY } from '../revisions/kind';
import {
  completeRevision,
  type DefinitionChange,
  firstRevision,
  nextRevision,
  type RevisionDraft,
} from '../revisions/next-revision';
import { ensureRevision, notFound, type Precondition } from '../revisions/precondition';
import type { RevisionRepository } from '../revisions/repository';
import { nameTaken, RevisionHeads } from '../revisions/revision-heads';
import { factsOf, type StoredRevision } from '../revisions/revision-text';
import { ensureFileSize, ensureOfPath, sentField } from '../revisions/yaml-text';
import { assignedTo, idFor } from './assigned-fields';
import { readDefinition, withFilePosition } from './definition-text';
import { ensureFreeName, ensureNoDependents, ensureTenantsStay, ensureValueLists, type TokensInUse } from './rules';

export interface SavedQueriesSettings {
  readonly repository: RevisionRepository;
  readonly definitions: Definitions;
  /** Newest revisions at the start, deleted ones included. */
  readonly heads: readonly StoredRevision[];
  /** Where `changesSince` continues. */
  readonly cursor: string;
  /** Compiles a definition. @throws ServiceError of the compiler */
  readonly compile: (definition: SavedQuery, owner: string) => Promise<void>;
  /** Makes the engine serve a change, then the server, and drops the results of former definitions. */
  readonly serve: (amendment: Amendment) => Promise<void>;
  readonly tokens: TokensInUse;
  readonly onProblem: (problem: unknown, place: string) => void;
  /** @default 10_000 */
  readonly maxSavedQueries?: number;
}

/** Result of a change. */
export interface ChangedQuery {
  readonly revision: StoredRevision;
  /** Null when the saved query was deleted. */
  readonly definition: SavedQuery | null;
  /** `unchanged`: the text is that of the present revision, which stays. */
  readonly outcome: 'created' | 'changed' | 'unchanged';
}

const MAX_SAVED_QUERIES = 10_000;

export class SavedQueries {
  private readonly heads: RevisionHeads;
  private readonly queue = new SerialQueue();
  private cursor: string;
  /** Changes of other servers that could not be served yet. */
  private unserved: readonly StoredRevision[] = [];

  constructor(private readonly settings: SavedQueriesSettings) {
    this.heads = new RevisionHeads({ ...settings, catchUp: () => this.catchUp() });
    this.cursor = settings.cursor;
  }

  /**
   * Newest revision of a saved query of origin `api`, which may have been deleted.
   *
   * @param idOrName id, or present name; the last name of a deleted one when no other has it
   */
  find(idOrName: string): RevisionFacts | undefined {
    return this.heads.find(idOrName);
  }

  read(id: string, revision: number): Promise<StoredRevision | null> {
    return this.settings.repository.read(id, revision);
  }

  history(id: string, before: number | null, limit: number): Promise<readonly RevisionFacts[]> {
    return this.settings.repository.history(id, before, limit);
  }

  /**
   * Present name of a saved query that was renamed. Searches all of them: the time does not say whether there is one.
   */
  renamedTo(formerName: string): SavedQuery | undefined {
    const renamed = [...this.heads.all].filter(
      ({ action, former_names }) => action !== 'delete' && former_names.includes(formerName)
    );
    return renamed[0] && this.settings.definitions.find(renamed[0].id);
  }

  /**
   * @throws ServiceError `definition_invalid`, `name_taken`, `limit_reached`, `idempotency_conflict`; of the compiler
   */
  create(text: string, change: DefinitionChange): Promise<ChangedQuery> {
    return this.inTurn(() => this.heads.once(change.mark, resultOf, () => this.createNew(text, undefined, change)));
  }

  /**
   * Replaces the definition, or creates the saved query. A deleted one is created again by its id, as its next
   * revision.
   *
   * @param idOrName a new saved query gets this id or name
   * @throws ServiceError those of `create`; `revision_conflict`, `endpoint_not_found`, `managed_elsewhere`
   */
  replace(idOrName: string, text: string, expected: Precondition, change: DefinitionChange): Promise<ChangedQuery> {
    return this.inTurn(async () => {
      const head = this.live(idOrName);
      ensureRevision(SAVED_QUERY, expected, head);
      if (head) return this.update(head, text, change);
      const deleted = this.heads.get(idOrName);
      return deleted ? this.update(deleted, text, change, 'restore') : this.createNew(text, idOrName, change);
    });
  }

  /**
   * @param edit makes the new text from the present one
   * @throws ServiceError those of `replace`
   */
  change(
    idOrName: string,
    edit: (text: string) => string,
    expected: Precondition,
    change: DefinitionChange
  ): Promise<ChangedQuery> {
    return this.inTurn(async () => {
      const head = this.existing(idOrName, expected);
      return this.update(head, edit(await this.heads.textOf(head)), change);
    });
  }

  /** @throws ServiceError `revision_conflict`, `endpoint_not_found`, `managed_elsewhere`, `endpoint_in_use` */
  remove(idOrName: string, expected: Precondition, change: DefinitionChange): Promise<ChangedQuery> {
    return this.inTurn(async () => {
      const head = this.existing(idOrName, expected);
      const { definitions, tokens } = this.settings;
      const former = definitions.find(head.id)!;
      ensureNoDependents(former, definitions.all);
      await ensureTenantsStay(former, null, definitions.all, tokens);
      const revision = completeRevision(nextRevision(head, 'delete', change), former, null, null);
      await this.heads.append(revision, change);
      await this.serve(revision, null);
      return { revision, definition: null, outcome: 'changed' };
    });
  }

  /**
   * Makes an earlier definition the newest revision, of a deleted saved query too.
   * @throws ServiceError `revision_not_found`, and those of `create` and `replace`
   */
  restore(head: RevisionFacts, revision: number, expected: Precondition | null, change: DefinitionChange) {
    return this.inTurn(() =>
      this.heads.once(change.mark, resultOf, async () => {
        const present = this.heads.get(head.id)!;
        if (expected) ensureRevision(SAVED_QUERY, expected, present);
        const stored = await this.read(head.id, revision);
        if (!stored || stored.text === null)
          throw new ServiceError(
            'revision_not_found',
            stored ? 'This revision deleted the saved query. Restore one before it.' : 'There is no such revision.'
          );
        return this.update(present, stored.text, change, 'restore');
      })
    );
  }

  /** Serves changes of other servers. @returns whether all could be served */
  follow(): Promise<boolean> {
    return this.queue.run(async () => {
      await this.catchUp();
      return this.unserved.length === 0;
    });
  }

  /** Runs work that replaces other definitions while no saved query changes. */
  exclusively<T>(work: () => Promise<T>): Promise<T> {
    return this.queue.run(work);
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.queue.run(async () => {
      await this.catchUp();
      return work();
    });
  }

  private async catchUp(): Promise<void> {
    const { heads, unreadable, isWhole, cursor } = await this.settings.repository.changesSince(this.cursor);
    if (isWhole) await this.dropAbsent([...heads, ...unreadable]);
    // Their former revisions stay; the other changes are served.
    for (const revision of unreadable)
      this.settings.onProblem(revision.error, this.settings.repository.placeOf(revision));
    const changed = [...this.unserved.filter(({ id }) => !heads.some((head) => head.id === id)), ...heads];
    const unserved: StoredRevision[] = [];
    for (const head of changed) {
      const known = this.heads.get(head.id);
      const isServed = isWhole ? isDeepStrictEqual(known, factsOf(head)) : (known?.revision ?? 0) >= head.revision;
      if (isServed) continue;
      try {
        const { text } = head;
        await this.serve(head, text === null ? null : readDefinition(text, assignedTo(head), true).definition);
      } catch (error) {
        // Reported once: it is tried again every second.
        if (!this.unserved.includes(head)) this.settings.onProblem(error, this.settings.repository.placeOf(head));
        unserved.push(head);
      }
    }
    this.unserved = unserved;
    this.cursor = cursor;
  }

  /** Saved queries that the repository no longer has are no longer served. */
  private async dropAbsent(heads: readonly Pick<RevisionFacts, 'id'>[]): Promise<void> {
    const present = new Set(heads.map(({ id }) => id));
    this.unserved = this.unserved.filter(({ id }) => present.has(id));
    const absent = this.heads.absentFrom(present);
    if (absent.length > 0) await this.settings.serve({ changed: [], removed: absent });
    this.heads.remove(absent);
  }

  private async createNew(text: string, idOrName: string | undefined, change: DefinitionChange): Promise<ChangedQuery> {
    const max = this.settings.maxSavedQueries ?? MAX_SAVED_QUERIES;
    if (this.settings.definitions.ofOrigin('api').length >= max)
      throw new ServiceError('limit_reached', `There are ${max} saved queries already.`, { max });
    if (idOrName !== undefined) ensureOfPath(text, idOrName);
    const id = idFor(text, idOrName);
    if (this.settings.definitions.find(id) ?? this.heads.get(id)) throw nameTaken('id', id);
    return this.commit(firstRevision(id, change), text, null, change);
  }

  private async update(
    head: RevisionFacts,
    text: string,
    change: DefinitionChange,
    action: 'update' | 'restore' = 'update'
  ): Promise<ChangedQuery> {
    const sent = sentField(text, 'id');
    if (sent !== undefined && sent.toLowerCase() !== head.id)
      throw new ServiceError('definition_invalid', 'The id of a saved query does not change.', {
        problems: [{ path: ['id'], reason: `the id is ${head.id}` }],
      });
    const former = this.settings.definitions.find(head.id) ?? null;
    if (former && (await this.heads.textOf(head)) === text) {
      const revision = (await this.read(head.id, head.revision))!;
      return { revision, definition: former, outcome: 'unchanged' };
    }
    return this.commit(nextRevision(head, action, change), text, former, change);
  }

  /** Checks, stores and serves a new revision. */
  private async commit(
    draft: RevisionDraft,
    text: string,
    former: SavedQuery | null,
    change: DefinitionChange
  ): Promise<ChangedQuery> {
    const { definitions, compile, tokens } = this.settings;
    ensureFileSize(text);
    const loaded = readDefinition(text, assignedTo(draft));
    const { definition } = loaded;
    ensureFreeName(definition, definitions);
    if (former && former.name !== definition.name) ensureNoDependents(former, definitions.all);
    ensureValueLists(loaded, definitions.all);
    if (former) await ensureTenantsStay(former, definition, definitions.all, tokens);
    await compile(definition, change.owner).catch((error: unknown) => {
      throw withFilePosition(error, loaded);
    });
    const revision = completeRevision(draft, former, definition, text);
    await this.heads.append(revision, change);
    await this.serve(revision, definition);
    return { revision, definition, outcome: outcomeOf(revision) };
  }

  private async serve(revision: StoredRevision, definition: SavedQuery | null): Promise<void> {
    await this.settings.serve(
      definition ? { changed: [definition], removed: [] } : { changed: [], removed: [revision.id] }
    );
    this.heads.set(revision);
  }

  /** The newest revision of a saved query that is not deleted. @throws ServiceError `managed_elsewhere` */
  private live(idOrName: string): RevisionFacts | undefined {
    const { definitions } = this.settings;
    const definition = definitions.find(idOrName);
    if (!definition) return undefined;
    if (definitions.originOf(definition) === 'api') return this.heads.get(definition.id);
    throw new ServiceError('managed_elsewhere', `The saved query "${definition.name}" is managed in a file.`, {
      hint: 'create a copy under another name, or change its file',
    });
  }

  private existing(idOrName: string, expected: Precondition): RevisionFacts {
    const head = this.live(idOrName);
    if (!head) throw notFound(SAVED_QUERY);
    ensureRevision(SAVED_QUERY, expected, head);
    return head;
  }
}

/** Null for a revision that deletes. */
function resultOf(revision: StoredRevision): ChangedQuery | null {
  if (revision.text === null) return null;
  const { definition } = readDefinition(revision.text, assignedTo(revision), true);
  return { revision, definition, outcome: outcomeOf(revision) };
}

function outcomeOf({ action }: RevisionFacts): ChangedQuery['outcome'] {
  return action === 'create' ? 'created' : 'changed';
}
