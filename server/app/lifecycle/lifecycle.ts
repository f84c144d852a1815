/** Lifecycle of the process. */
export type LifecycleState = 'serving' | 'draining' | 'closing';

export class Lifecycle {
  private current: LifecycleState = 'serving';

  get state(): LifecycleState {
    return this.current;
  }

  /** Stops being ready, but still answers calls: load balancers need time to notice. */
  startDraining(): void {
    if (this.current === 'serving') this.current = 'draining';
  }

  /** Refuses new calls; running ones complete. */
  startClosing(): void {
    this.current = 'closing';
  }
}
