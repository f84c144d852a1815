/**
 * Runs tasks of many connections, a few in each turn of the event loop: the server accepts one new connection in a
 * turn, so each turn has to be short.
 */
export class TaskQueue {
  private readonly tasks: (() => void)[] = [];
  private scheduled = 0;

  constructor(private readonly tasksPerTurn: number) {}

  add(task: () => void): void {
    this.tasks.push(task);
    if (this.scheduled === 0) this.schedule();
  }

  /** An immediate for each task: what a task leaves to promises runs before the next one. */
  private schedule(): void {
    this.scheduled = Math.min(this.tasksPerTurn, this.tasks.length);
    for (let i = 0; i < this.scheduled; i += 1) setImmediate(() => this.run());
  }

  private run(): void {
    this.scheduled -= 1;
    this.tasks.shift()?.();
    if (this.scheduled === 0 && this.tasks.length > 0) this.schedule();
  }
}
