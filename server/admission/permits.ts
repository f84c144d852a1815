/**
 * Permits in use, with limits in total, per lane, per owner and per tenant. Ad-hoc text and background work have lanes
 * of their own, so that they do not take the permits of saved queries. Checks of text run nothing and have separate
 * permits, so that an editor does not wait for queries.
 */
import type { PermitLimits } from '../config';
import { groupOf } from './tenant-group';

/**
 * `saved`: calls of saved queries. `adhoc`: unreviewed text. `check`: text that is compiled and not run. `background`:
 * refreshes, which run only when no caller waits.
 */
export type Lane = 'saved' | 'adhoc' | 'check' | 'background';

export const LANES: readonly Lane[] = ['saved', 'adhoc', 'check', 'background'];

export interface PermitOwner {
  /** Id of a token, or a fixed name for background work. */
  readonly owner: string;
  /** Tenant of the token. @default null: the owner competes alone */
  readonly tenant?: string | null;
  readonly lane: Lane;
}

/** Owners that compete as one. */
export function groupOfOwner({ owner, tenant = null }: PermitOwner): string {
  return groupOf(owner, tenant);
}

export class Permits {
  private total = 0;
  private readonly maxByLane: Readonly<Record<Lane, number>>;
  private readonly byLane = new Counts();
  private readonly byOwner = new Counts();
  private readonly byGroup = new Counts();
  private readonly byLaneAndGroup = new Counts();

  constructor(private readonly limits: PermitLimits) {
    this.maxByLane = {
      saved: limits.maxRunning,
      adhoc: limits.maxRunningAdhoc,
      check: limits.maxRunningChecks,
      background: limits.maxRunningBackground,
    };
  }

  /** Permits in use, checks not included. */
  get running(): number {
    return this.total;
  }

  runningIn(lane: Lane): number {
    return this.byLane.of(lane);
  }

  /** Permits of the owner's group that compete with this lane. */
  runningOfGroup(requester: PermitOwner): number {
    return requester.lane === 'check'
      ? this.byLaneAndGroup.of(laneAndGroup(requester))
      : this.byGroup.of(groupOfOwner(requester));
  }

  /** The same of the owner alone; checks are not counted. */
  runningOf({ owner }: PermitOwner): number {
    return this.byOwner.of(owner);
  }

  add(owner: PermitOwner): void {
    this.count(owner, 1);
  }

  remove(owner: PermitOwner): void {
    this.count(owner, -1);
  }

  canAdd(requester: PermitOwner): boolean {
    return this.hasLanePermit(requester) && !this.isOwnerFull(requester);
  }

  /** True when the owner's own limits block the request. */
  isBlockedByOwner(requester: PermitOwner): boolean {
    return this.isTokenFull(requester) || (this.hasLanePermit(requester) && this.isOwnerFull(requester));
  }

  private count(owner: PermitOwner, change: 1 | -1): void {
    this.byLane.add(owner.lane, change);
    this.byLaneAndGroup.add(laneAndGroup(owner), change);
    if (owner.lane === 'check') return;
    this.total += change;
    this.byOwner.add(owner.owner, change);
    this.byGroup.add(groupOfOwner(owner), change);
  }

  private hasLanePermit({ lane }: PermitOwner): boolean {
    return this.byLane.of(lane) < this.maxByLane[lane] && (lane === 'check' || this.total < this.limits.maxRunning);
  }

  private isOwnerFull(requester: PermitOwner): boolean {
    const inLane = this.byLaneAndGroup.of(laneAndGroup(requester));
    return inLane >= this.maxOfGroupIn(requester.lane) || this.isTokenFull(requester);
  }

  /** The owner's limit over all lanes but `check`. */
  private isTokenFull({ owner, lane }: PermitOwner): boolean {
    return lane !== 'check' && this.byOwner.of(owner) >= this.limits.maxRunningPerToken;
  }

  /** In lanes that any caller can fill, one group leaves at least one permit to others, unless there is only one. */
  private maxOfGroupIn(lane: Lane): number {
    const max = this.maxByLane[lane];
    return lane === 'adhoc' || lane === 'check' ? Math.max(1, max - 1) : max;
  }
}

/** Counts by key; a key whose count is 0 takes no memory. */
class Counts {
  private readonly counts = new Map<string, number>();

  of(key: string): number {
    return this.counts.get(key) ?? 0;
  }

  add(key: string, change: 1 | -1): void {
    const count = this.of(key) + change;
    if (count === 0) this.counts.delete(key);
    else this.counts.set(key, count);
  }
}

function laneAndGroup(requester: PermitOwner): string {
  return `${requester.lane} ${groupOfOwner(requester)}`;
}
