/**
 * The catalog of a running server: polled every second in the background, so that no call waits for the database. While
 * the database does not answer, the last state stays in use for a limited time.
 */
import { isDeepStrictEqual } from 'node:util';
import { ServiceError } from '#contract/errors';
import type { StoredToken } from '#contract/tokens/token';
import type { Clock } from '../../common/clock';
import type { DefinitionSet } from '../definitions/definition-set';
import { DefinitionsError } from '../definitions/definition-problem';
import type { TokenEdit } from '../tokens/token-edits';
import type { TokenRegister } from '../tokens/token-register';
import type { ChangeFacts } from '../audit/change-facts';
import type { TokenRepository, TokenSnapshot } from '../tokens/token-repository';
import type { Database } from './database';
import { type CatalogRevisions, readRevisions, readStoredSet } from './stored-definitions';
import { changeStoredTokens, readStoredTokens, readStoredUsage, storeUsage } from './stored-tokens';
import { formatCatalogError } from './format-error';

export interface CatalogState {
  /** `stale`: the database does not answer, the last state is in use; `failed`: that state is too old. */
  readonly check: 'ok' | 'stale' | 'failed';
  /** Milliseconds since the last answer of the database. */
  readonly ageMs: number;
  /** Revision of the served definitions. */
  readonly revision: number;
  /** Revision of the catalog's current definitions, at the last poll. */
  readonly revisionInForce: number;
  /** True when this server cannot serve the current definitions. */
  readonly isRefused: boolean;
  /** Number of definition sets since the start that could not be served. */
  readonly refused: number;
}

export interface CatalogLogger {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

export interface CatalogWatchSettings {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: CatalogLogger;
  /** How long the last state stays in use without the database. */
  readonly maxAgeMs: number;
  /** Revision of the set that is served at the start. */
  readonly servedRevision: number;
  /** Later revision that cannot be served; null: none. */
  readonly refusedRevision: number | null;
  /** Mark of the later of the two. */
  readonly pushMark: string;
}

/** Replaces the served set. @throws DefinitionsError when it cannot be served: the former one stays */
export type ServeSet = (set: DefinitionSet) => Promise<void>;

/** Serves changes over the API. @returns whether all could be served; else it is called again */
type Follow = () => Promise<boolean>;

export interface Followers {
  readonly sources: Follow;
  readonly queries: Follow;
}

type Followed = keyof Followers;

const UNREADABLE: Readonly<Record<Followed, string>> = {
  sources: 'changed sources cannot be read',
  queries: 'changed saved queries cannot be read',
};
const POLL_INTERVAL_MS = 1000;
/** Pause before a set that the store did not open with is tried again: each try may close the store for a moment. */
const STORE_RETRY_MS = 30_000;
const POLL_GAP_MS = 100;
/** Maximum wait of a call with an unknown token for a new poll. */
const FRESH_POLL_MS = 1500;

export class CatalogWatch implements TokenRepository, TokenRegister {
  /** State of the catalog that was served last. */
  private readonly followed: Record<Followed, string> = { sources: '', queries: '' };
  /** Why changes could not be read, as logged; null: they could. */
  private readonly followProblems: Record<Followed, string | null> = { sources: null, queries: null };
  private tokens: ReadonlyMap<string, StoredToken> = new Map();
  private tokenState = '';
  private tokensReadAtMs = -Infinity;
  private answeredAtMs: number;
  private reachable = true;
  private polling: Promise<void> | null = null;
  /** The next poll that callers of `fresh` wait for; null once it has started. */
  private nextPoll: Promise<void> | null = null;
  private polledAtMs = -Infinity;
  private servedRevision: number;
  private revisionInForce: number;
  private refusedRevision: number | null;
  /** Mark of the last set that was served or refused. */
  private pushMark: string;
  private refused: number;
  private serving = false;
  /** Set that the store did not open with; null: none. */
  private postponed: { readonly revision: number; readonly untilMs: number } | null = null;
  private serve: ServeSet | null = null;
  private followers: Followers | null = null;
  private uses = new Map<string, Date>();
  private cancelPoll = (): void => undefined;
  private stopped = false;

  constructor(private readonly settings: CatalogWatchSettings) {
    this.servedRevision = settings.servedRevision;
    this.refusedRevision = settings.refusedRevision;
    this.pushMark = settings.pushMark;
    this.revisionInForce = this.refusedRevision ?? this.servedRevision;
    this.refused = this.refusedRevision === null ? 0 : 1;
    this.answeredAtMs = settings.clock.monotonicMs();
  }

  /**
   * @param serve called with each new set, one at a time
   * @param followers called after changes over the API
   * @throws CatalogError when the first poll fails
   */
  async start(serve: ServeSet, followers: Followers): Promise<void> {
    this.serve = serve;
    this.followers = followers;
    await this.readTokens();
    this.schedulePoll();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.cancelPoll();
    await this.settings.database.close();
  }

  state(): CatalogState {
    const ageMs = this.settings.clock.monotonicMs() - this.answeredAtMs;
    const check = ageMs > this.settings.maxAgeMs ? 'failed' : this.reachable ? 'ok' : 'stale';
    const { servedRevision: revision, revisionInForce, refused } = this;
    return { check, ageMs, revision, revisionInForce, isRefused: revisionInForce === this.refusedRevision, refused };
  }

  async cached(): Promise<TokenSnapshot> {
    const seen = this.cachedSync();
    if (!seen) throw new ServiceError('catalog_unavailable', 'Access tokens cannot be checked at present.');
    return seen;
  }

  cachedSync(): TokenSnapshot | null {
    if (this.state().check === 'failed') return null;
    return { tokens: this.tokens, lost: null, readAtMs: this.tokensReadAtMs };
  }

  async fresh(): Promise<TokenSnapshot> {
    if (this.reachable) {
      await new Promise<void>((resolve) => {
        const cancel = this.settings.clock.setTimer(resolve, FRESH_POLL_MS);
        this.nextPoll ??= this.pollAgain();
        void this.nextPoll.finally(() => {
          cancel();
          resolve();
        });
      });
    }
    return this.cached();
  }

  /**
   * Starts a new poll, with a minimum gap after the last one: unknown tokens, in any number, must not load the
   * database.
   */
  private async pollAgain(): Promise<void> {
    const restMs = this.polledAtMs + POLL_GAP_MS - this.settings.clock.monotonicMs();
    if (restMs > 0) await new Promise<void>((resolve) => this.settings.clock.setTimer(resolve, restMs));
    await this.polling;
    // Later callers may know a token that this poll is too early to see.
    this.nextPoll = null;
    await this.poll();
  }

  /** This server knows the tokens of the change when it resolves; other servers after their next poll. */
  async change<T>(facts: ChangeFacts, edit: TokenEdit<T>): Promise<T> {
    const outcome = await changeStoredTokens(this.settings.database, facts, edit);
    // The change is stored and must be answered, even when the next poll fails.
    await this.fresh().catch(() => undefined);
    return outcome;
  }

  async read(): Promise<readonly StoredToken[]> {
    return (await readStoredTokens(this.settings.database)).tokens;
  }

  async lastUses(): Promise<Readonly<Record<string, string>>> {
    const pending = [...this.uses].map(([tokenId, at]) => [tokenId, at.toISOString()]);
    return {
      ...(await readStoredUsage(this.settings.database)),
      ...(Object.fromEntries(pending) as Record<string, string>),
    };
  }

  async isReadable(): Promise<boolean> {
    return this.state().check !== 'failed';
  }

  noteUse(tokenId: string, at: Date): void {
    this.uses.set(tokenId, at);
  }

  async flush(): Promise<void> {
    if (this.uses.size === 0 || !this.reachable) return;
    const uses = this.uses;
    this.uses = new Map();
    try {
      await storeUsage(this.settings.database, uses);
    } catch (error) {
      // For the next attempt; uses since then are later.
      this.uses = new Map([...uses, ...this.uses]);
      throw error;
    }
  }

  private schedulePoll(): void {
    if (this.stopped) return;
    this.cancelPoll = this.settings.clock.setTimer(() => {
      void this.poll().finally(() => this.schedulePoll());
    }, POLL_INTERVAL_MS);
  }

  /** Runs one poll at a time. Never rejects. */
  private poll(): Promise<void> {
    this.polling ??= this.pollOnce().finally(() => {
      this.polling = null;
    });
    return this.polling;
  }

  private async pollOnce(): Promise<void> {
    this.polledAtMs = this.settings.clock.monotonicMs();
    try {
      const startedAtMs = performance.now();
      const revisions = await readRevisions({ run: this.settings.database.poll });
      if (revisions.tokens === this.tokenState) this.tokensReadAtMs = startedAtMs;
      else await this.readTokens();
      this.noteAnswer();
      this.revisionInForce = revisions.definitions;
      void this.followAll(revisions);
    } catch (error) {
      this.noteFailure(error);
    }
  }

  private async readTokens(): Promise<void> {
    const startedAtMs = performance.now();
    const { state, tokens, unreadable } = await readStoredTokens({ run: this.settings.database.poll });
    if (unreadable.length > 0)
      this.settings.logger.error(
        { token_ids: unreadable },
        'the catalog holds tokens that cannot be read: none of them is valid'
      );
    this.tokens = new Map(tokens.map((token) => [token.id, this.unchanged(token) ?? token]));
    this.tokenState = state;
    this.tokensReadAtMs = startedAtMs;
  }

  /** The known object of a token that has not changed: parsed requests are valid as long as it is the same. */
  private unchanged(token: StoredToken): StoredToken | null {
    const known = this.tokens.get(token.id);
    return known && isDeepStrictEqual(known, token) ? known : null;
  }

  private noteAnswer(): void {
    this.answeredAtMs = this.settings.clock.monotonicMs();
    if (!this.reachable && !this.stopped) this.settings.logger.info({}, 'the catalog answers again');
    this.reachable = true;
  }

  private noteFailure(error: unknown): void {
    if (this.reachable && !this.stopped)
      this.settings.logger.error(
        { reason: formatCatalogError(error), max_age_seconds: this.settings.maxAgeMs / 1000 },
        'the catalog does not answer: the tokens and definitions that were seen last go on working'
      );
    this.reachable = false;
  }

  /** Sets first: they may have given up names. Saved queries last: they may read new sources. */
  private async followAll(revisions: CatalogRevisions): Promise<void> {
    await this.followDefinitions(revisions);
    await this.followChanges('sources', revisions);
    await this.followChanges('queries', revisions);
  }

  private async followChanges(kind: Followed, { [kind]: state }: CatalogRevisions): Promise<void> {
    if (state === this.followed[kind] || this.stopped || !this.followers) return;
    try {
      if (await this.followers[kind]()) this.followed[kind] = state;
      this.followProblems[kind] = null;
    } catch (error) {
      const reason = formatCatalogError(error);
      // Tried again every second: an unchanged problem is logged once.
      if (reason !== this.followProblems[kind]) this.settings.logger.error({ reason }, UNREADABLE[kind]);
      this.followProblems[kind] = reason;
    }
  }

  private async followDefinitions({ definitions, pushMark }: CatalogRevisions): Promise<void> {
    const isKnown = definitions === this.servedRevision || definitions === this.refusedRevision;
    if ((isKnown && pushMark === this.pushMark) || this.serving || this.stopped || !this.serve) return;
    const { logger, clock } = this.settings;
    if (this.postponed?.revision === definitions && clock.monotonicMs() < this.postponed.untilMs) return;
    this.postponed = null;
    this.serving = true;
    try {
      await this.serve(await readStoredSet(this.settings.database, definitions));
      logger.info({ revision: definitions, former: this.servedRevision }, 'the definitions were replaced');
      this.servedRevision = definitions;
      this.refusedRevision = null;
      this.pushMark = pushMark;
    } catch (error) {
      // Invalid texts stay invalid until the next push; other failures may pass within a second.
      if (error instanceof DefinitionsError) {
        this.refusedRevision = definitions;
        this.pushMark = pushMark;
        this.refused += 1;
      } else if (error instanceof ServiceError)
        this.postponed = { revision: definitions, untilMs: clock.monotonicMs() + STORE_RETRY_MS };
      logger.error(
        { revision: definitions, served: this.servedRevision, reason: formatCatalogError(error) },
        'new definitions cannot be served: the former ones stay'
      );
    } finally {
      this.serving = false;
    }
  }
}
