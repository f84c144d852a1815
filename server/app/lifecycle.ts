/** Where the process stands between start and stop. */
export type LifecycleState = 'serving' | 'draining' | 'closing';

export class Lifecycle {
  private current: LifecycleState = 'serving';

  get state(): LifecycleState {
    return this.current;
  }

  /** Not ready any more, but calls that still come are answered: load balancers need time to see it. */
  startDraining(): void {
    if (this.current === 'serving') this.current = 'draining';
  }

  /** New calls are refused; running ones end. */
  startClosing(): void {
    this.current = 'closing';
  }
}
