/** Runs tasks one after another in order of arrival. A failed task does not stop the next. */
export class SerialQueue {
  private last: Promise<unknown> = Promise.resolve();

  run<T>(task: () => Promise<T>): Promise<T> {
    const result = this.last.then(task);
    this.last = result.catch(() => undefined);
    return result;
  }
}
