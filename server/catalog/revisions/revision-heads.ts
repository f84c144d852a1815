/** The newest revision of each definition of one kind, and how a further one is stored. */
import { isNativeError } from 'node:util/types';
import { type ErrorCode, ServiceError } from '#contract/errors';
import type { RequestMark } from '#contract/changes/change';
import type { RevisionFacts } from '#contract/changes/revision';
import { failedCall } from '../../common/caught-error';
import { auditEntryOf, type DefinitionChange } from './next-revision';
import { revisionConflict } from './precondition';
import { findRepeated } from './repeated-request';
import { NameTakenError, RevisionConflictError, type RevisionRepository } from './repository';
import { factsOf, type StoredRevision } from './revision-text';

export interface RevisionHeadsSettings {
  readonly repository: RevisionRepository;
  /** At the start, deleted ones included. */
  readonly heads: readonly StoredRevision[];
  /** Reads what other servers have changed. */
  readonly catchUp: () => Promise<void>;
  readonly onProblem: (problem: unknown, place: string) => void;
}

/** Errors of a request that another server carried out first. */
const OVERTAKEN: readonly ErrorCode[] = ['name_taken', 'revision_conflict'];

export class RevisionHeads {
  private readonly heads: Map<string, RevisionFacts>;

  constructor(private readonly settings: RevisionHeadsSettings) {
    this.heads = new Map(settings.heads.map((head) => [head.id, factsOf(head)]));
  }

  get all(): Iterable<RevisionFacts> {
    return this.heads.values();
  }

  get(id: string): RevisionFacts | undefined {
    return this.heads.get(id.toLowerCase());
  }

  set(revision: StoredRevision): void {
    this.heads.set(revision.id, factsOf(revision));
  }

  remove(ids: Iterable<string>): void {
    for (const id of ids) this.heads.delete(id);
  }

  /** Ids of definitions that are not among these, which the repository no longer has. */
  absentFrom(present: ReadonlySet<string>): readonly string[] {
    return [...this.heads.keys()].filter((id) => !present.has(id));
  }

  /** @param idOrName id, or present name; the last name of a deleted one when no other has it */
  find(idOrName: string): RevisionFacts | undefined {
    const byId = this.get(idOrName);
    if (byId) return byId;
    const named = [...this.heads.values()].filter(({ name }) => name === idOrName);
    return named.find(({ action }) => action !== 'delete') ?? named.sort((a, b) => (a.time < b.time ? 1 : -1))[0];
  }

  async textOf({ id, revision }: RevisionFacts): Promise<string> {
    return (await this.settings.repository.read(id, revision))?.text ?? '';
  }

  /**
   * Stores a revision. It is not the newest one before `set`.
   * @param details for the audit trail
   * @throws ServiceError `name_taken`, `revision_conflict`; `backend_unavailable` when the disk fails
   */
  async append(
    revision: StoredRevision,
    change: DefinitionChange,
    details?: Readonly<Record<string, unknown>>
  ): Promise<void> {
    const { repository, catchUp } = this.settings;
    try {
      await repository.append(revision, auditEntryOf(revision, repository.kind, change, details));
    } catch (error) {
      if (error instanceof NameTakenError) throw nameTaken('name', error.taken ?? revision.name);
      if (isOfTheDisk(error)) {
        // The revision may be there nevertheless. What the disk refuses now is read before the next change.
        await catchUp().catch(() => undefined);
        throw this.notStored(error, revision);
      }
      if (!(error instanceof RevisionConflictError)) throw error;
      await catchUp();
      const head = this.heads.get(revision.id) ?? revision;
      throw revisionConflict(head, `The ${repository.kind.noun} was changed by another request.`);
    }
  }

  private notStored(cause: unknown, revision: StoredRevision): ServiceError {
    const { repository, onProblem } = this.settings;
    onProblem(cause, repository.placeOf(revision));
    return new ServiceError(
      'backend_unavailable',
      `The change could not be stored. Read the ${repository.kind.noun} before you retry.`,
      {
        reason: 'disk_failed',
        hint: 'the operator finds the cause in the log of the server',
      }
    );
  }

  /**
   * Carries out a request, unless it was carried out before: also by another server at the same time.
   *
   * @param resultOf result of the earlier request, from its revision
   * @throws ServiceError `idempotency_conflict`
   */
  async once<T>(
    mark: RequestMark | null,
    resultOf: (revision: StoredRevision) => T | null,
    work: () => Promise<T>
  ): Promise<T> {
    const known = await this.repeated(mark, resultOf);
    if (known !== null) return known;
    try {
      return await work();
    } catch (error) {
      if (mark === null || !(error instanceof ServiceError) || !OVERTAKEN.includes(error.code)) throw error;
      await this.settings.catchUp();
      const repeated = await this.repeated(mark, resultOf);
      if (repeated !== null) return repeated;
      throw error;
    }
  }

  private async repeated<T>(
    mark: RequestMark | null,
    resultOf: (revision: StoredRevision) => T | null
  ): Promise<T | null> {
    const known = mark && findRepeated(this.heads.values(), mark);
    const revision = known ? await this.settings.repository.read(known.id, known.revision) : null;
    return revision === null ? null : resultOf(revision);
  }
}

export function nameTaken(field: 'id' | 'name', value: string): ServiceError {
  return new ServiceError('name_taken', `The ${field} "${value}" is in use.`, { field, value });
}

function isOfTheDisk(error: unknown): boolean {
  return isNativeError(error) && failedCall(error) !== undefined;
}
