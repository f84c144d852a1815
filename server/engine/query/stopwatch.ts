export interface Stopwatch {
  /** Milliseconds since the previous call, at first since the start. */
  lap(): number;
  /** Milliseconds since the previous `lap`; the next one starts from there, too. */
  peek(): number;
}

export function startStopwatch(): Stopwatch {
  let from = performance.now();
  return {
    lap() {
      const now = performance.now();
      const elapsed = now - from;
      from = now;
      return elapsed;
    },
    peek: () => performance.now() - from,
  };
}
