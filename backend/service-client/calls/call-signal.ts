/** The part of an `AbortSignal` that calls use. */
export interface CallSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** Does what an `AbortController` does for one call. An `EventTarget` takes longer than the reading of a response. */
export class CallController implements CallSignal {
  reason: unknown;
  aborted = false;
  private readonly listeners: (() => void)[] = [];

  abort(reason: unknown = new DOMException('The call was canceled.', 'AbortError')): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason;
    for (const listener of this.listeners.splice(0)) listener();
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    this.listeners.push(listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    const at = this.listeners.indexOf(listener);
    if (at !== -1) this.listeners.splice(at, 1);
  }
}

/** @throws the reason of an aborted signal */
export function throwIfAborted({ aborted, reason }: CallSignal): void {
  if (aborted) throw reason;
}
