/** A file that a shipper follows. */
import { appendFile } from 'node:fs/promises';
import type { Child } from './child';
import type { RunningShipper } from './shipper';

export function followsFile(child: Child, file: string): RunningShipper {
  return {
    log: (lines) => appendFile(file, lines.map((line) => `${line}\n`).join('')),
    end: () => Promise.resolve(),
    stop: () => child.kill(),
    output: () => child.output(),
  };
}
