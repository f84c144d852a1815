/** The listeners that take messages: a change of a source must leave them one that they can store their messages in. */
import type { Source } from '#contract/events/source';
import type { Listener } from './listener';
import { sourceProblems } from './load-listeners';

export class ActiveListeners {
  private listeners: readonly Listener[] = [];

  replace(listeners: readonly Listener[]): void {
    this.listeners = listeners;
  }

  /** @returns names of the listeners that could not store their messages with these sources */
  failingWith(sources: readonly Source[]): readonly string[] {
    return this.listeners.filter((listener) => sourceProblems(listener, sources).length > 0).map(({ name }) => name);
  }
}
