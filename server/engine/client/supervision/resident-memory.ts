/** Resident memory of another process: a process with a blocked thread cannot report it itself. */
import { readFileSync } from 'node:fs';

/** @returns bytes; null when the process has ended or the system has no `/proc`. */
export function residentBytes(pid: number): number | null {
  try {
    // `status` and not `statm`: its unit does not depend on the page size.
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
    return kilobytes === undefined ? null : Number(kilobytes) * 1024;
  } catch {
    return null;
  }
}
