/**
 * The catalog as a running server sees it: looked at every second, in the background, so that no call waits for the database. What was
 * seen last goes on working while the database cannot be reached, within a bound.
 */
import { ServiceError } from '#contract/errors';
import type { StoredToken } from '#contract/token';
import type { Clock } from '../clock';
import type { DefinitionSet } from '../definitions/definition-set';
import { DefinitionsError } from '../definitions/definition-problem';
import type { TokenRepository, TokenSnapshot } from '../tokens/token-repository';
import type { Database } from './database';
import { type CatalogRevisions, readRevisions, readStoredSet } from './stored-definitions';
import { readStoredTokens, storeUsage } from './stored-tokens';
import { formatCatalogError } from './format-error';

export interface CatalogState {
  /** `stale`: the database does not answer, what was seen last is in use; `failed`: that is too long ago. */
  readonly check: 'ok' | 'stale' | 'failed';
  /** Since the database answered last. */
  readonly ageMs: number;
  /** Of the definitions that are served. */
  readonly revision: number;
  /** Of the definitions in force, as seen last. */
  readonly revisionInForce: number;
  /** Whether this server cannot serve those in force. */
  readonly isRefused: boolean;
  /** Sets of definitions that could not be served, since the start. */
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
  /** How long what was seen last goes on working. */
  readonly maxAgeMs: number;
  /** Of the set that is served at the start. */
  readonly servedRevision: number;
  /** Of a later one that could not be. */
  readonly refusedRevision: number | null;
}

/** Puts a set in the place of the one that is served. @throws DefinitionsError when it cannot be served: the former one stays */
export type ServeSet = (set: DefinitionSet) => Promise<void>;

const LOOK_EVERY_MS = 1000;
const LOOK_GAP_MS = 100;
/** A caller with an unknown token waits at most this long for a fresh look. */
const FRESH_LOOK_MS = 1500;

export class CatalogWatch implements TokenRepository {
  private tokens: ReadonlyMap<string, StoredToken> = new Map();
  private tokenRevision = -1;
  private tokensLookedAtMs = -Infinity;
  private answeredAtMs: number;
  private reachable = true;
  private looking: Promise<void> | null = null;
  /** Waits for its turn. */
  private freshLook: Promise<void> | null = null;
  private lookedAtMs = -Infinity;
  private servedRevision: number;
  private revisionInForce: number;
  private refusedRevision: number | null;
  private refused: number;
  private serving = false;
  private serve: ServeSet | null = null;
  private uses = new Map<string, Date>();
  private cancelLook = (): void => undefined;
  private stopped = false;

  constructor(private readonly settings: CatalogWatchSettings) {
    this.servedRevision = settings.servedRevision;
    this.refusedRevision = settings.refusedRevision;
    this.revisionInForce = this.refusedRevision ?? this.servedRevision;
    this.refused = this.refusedRevision === null ? 0 : 1;
    this.answeredAtMs = settings.clock.monotonicMs();
  }

  /** @param serve given each new set, one at a time. @throws CatalogError when the first look fails */
  async start(serve: ServeSet): Promise<void> {
    this.serve = serve;
    await this.readTokens();
    this.planLook();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.cancelLook();
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
    return { tokens: this.tokens, lost: null, readAtMs: this.tokensLookedAtMs };
  }

  async fresh(): Promise<TokenSnapshot> {
    if (this.reachable) {
      await new Promise<void>((resolve) => {
        const cancel = this.settings.clock.setTimer(resolve, FRESH_LOOK_MS);
        this.freshLook ??= this.lookAfresh();
        void this.freshLook.finally(() => {
          cancel();
          resolve();
        });
      });
    }
    return this.cached();
  }

  /** A look that begins from now on, and not right after another: unknown tokens, however many, must not be the database's load. */
  private async lookAfresh(): Promise<void> {
    const restMs = this.lookedAtMs + LOOK_GAP_MS - this.settings.clock.monotonicMs();
    if (restMs > 0) await new Promise<void>((resolve) => this.settings.clock.setTimer(resolve, restMs));
    await this.looking;
    // Who comes from now on may know of a token that this look is too early for.
    this.freshLook = null;
    await this.look();
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
    await storeUsage(this.settings.database, uses);
  }

  private planLook(): void {
    if (this.stopped) return;
    this.cancelLook = this.settings.clock.setTimer(() => {
      void this.look().finally(() => this.planLook());
    }, LOOK_EVERY_MS);
  }

  /** One look at a time, whoever asks. Never rejects. */
  private look(): Promise<void> {
    this.looking ??= this.lookOnce().finally(() => {
      this.looking = null;
    });
    return this.looking;
  }

  private async lookOnce(): Promise<void> {
    this.lookedAtMs = this.settings.clock.monotonicMs();
    try {
      const startedAtMs = performance.now();
      const revisions = await readRevisions(this.settings.database);
      if (revisions.tokens === this.tokenRevision) this.tokensLookedAtMs = startedAtMs;
      else await this.readTokens();
      this.noteAnswer();
      this.revisionInForce = revisions.definitions;
      void this.followDefinitions(revisions);
    } catch (error) {
      this.noteFailure(error);
    }
  }

  private async readTokens(): Promise<void> {
    const startedAtMs = performance.now();
    const { revision, tokens, unreadable } = await readStoredTokens(this.settings.database);
    if (unreadable.length > 0)
      this.settings.logger.error(
        { token_ids: unreadable },
        'the catalog holds tokens that cannot be read: none of them is valid'
      );
    this.tokens = new Map(tokens.map((token) => [token.id, token]));
    this.tokenRevision = revision;
    this.tokensLookedAtMs = startedAtMs;
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

  private async followDefinitions({ definitions }: CatalogRevisions): Promise<void> {
    const isKnown = definitions === this.servedRevision || definitions === this.refusedRevision;
    if (isKnown || this.serving || this.stopped || !this.serve) return;
    this.serving = true;
    const { logger } = this.settings;
    try {
      await this.serve(await readStoredSet(this.settings.database, definitions));
      logger.info({ revision: definitions, former: this.servedRevision }, 'the definitions were replaced');
      this.servedRevision = definitions;
      this.refusedRevision = null;
    } catch (error) {
      // What is wrong with the texts stays wrong until the next push; all else may be better in a second.
      if (error instanceof DefinitionsError) {
        this.refusedRevision = definitions;
        this.refused += 1;
      }
      logger.error(
        { revision: definitions, served: this.servedRevision, reason: formatCatalogError(error) },
        'new definitions cannot be served: the former ones stay'
      );
    } finally {
      this.serving = false;
    }
  }
}
