/** What `watch-threads.ts` has written down. */
import { existsSync, readFileSync } from 'node:fs';

export interface ThreadHolds {
  readonly serverMs: number;
  readonly engineMs: number;
}

/** @returns the longest of each process between the two times of day, in milliseconds; 0: none of note */
export function longestHolds(file: string, fromMs: number, toMs: number): ThreadHolds {
  const lines = existsSync(file) ? readFileSync(file, 'latin1').split('\n').filter(Boolean) : [];
  const longest = (role: string): number =>
    lines.reduce((most, line) => {
      const [who, at, heldMs] = line.split(' ');
      return who === role && Number(at) >= fromMs && Number(at) <= toMs ? Math.max(most, Number(heldMs)) : most;
    }, 0);
  return { serverMs: longest('server'), engineMs: longest('engine') };
}
