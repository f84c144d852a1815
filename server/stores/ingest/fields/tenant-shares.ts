/**
 * Counts what the tenants of a source share and no event gives back: its fields, or their columns. What a sender
 * without a tenant adds, or what is declared, counts for no tenant.
 */
import { FEW_OF_ALL } from '../limits';

export class TenantShares {
  private total = 0;
  /** What tenants have beyond the first half, as servers may give it at the same moment: others do not lose by it. */
  private excess = 0;
  private readonly byTenant = new Map<string, number>();
  /** Above this number, only tenants with fewer than `few` add one. */
  private readonly openToAll: number;
  private readonly few: number;

  /** @param hardMax not exceeded by what servers give at the same moment either */
  constructor(
    readonly max: number,
    private readonly hardMax = Infinity
  ) {
    this.openToAll = Math.ceil(max / 2);
    this.few = Math.max(1, Math.floor(max * FEW_OF_ALL));
  }

  get count(): number {
    return this.total;
  }

  of(tenant: string): number {
    return this.byTenant.get(tenant) ?? 0;
  }

  /** Tenants that have added one. */
  get tenants(): Iterable<string> {
    return this.byTenant.keys();
  }

  /** @param tenant of the sender; null: none */
  hasRoomFor(tenant: string | null): boolean {
    if (this.isUsedUp) return false;
    return tenant === null || this.total < this.openToAll || this.of(tenant) < this.few;
  }

  /** True when there is no room for a sender, or for one of the tenants that are counted. */
  get isLimited(): boolean {
    if (this.isUsedUp) return true;
    return this.total >= this.openToAll && [...this.byTenant.values()].some((count) => count >= this.few);
  }

  add(tenant: string | null): void {
    this.total++;
    if (tenant === null) return;
    const count = this.of(tenant) + 1;
    this.byTenant.set(tenant, count);
    if (count > this.openToAll) this.excess++;
  }

  remove(tenant: string | null): void {
    this.total--;
    if (tenant === null) return;
    const count = this.of(tenant);
    if (count > this.openToAll) this.excess--;
    if (count > 1) this.byTenant.set(tenant, count - 1);
    else this.byTenant.delete(tenant);
  }

  private get isUsedUp(): boolean {
    return this.total - this.excess >= this.max || this.total >= this.hardMax;
  }
}
