/** A program that makes a log event of each line of its input. */
import { once } from 'node:events';
import { type Child, startChild } from './child';
import type { RunningShipper, ShipperTarget } from './shipper';

/**
 * A client of clients/js or clients/python.
 *
 * @param command says `ready` before it reads its input
 * @param documented code of docs/shippers.md that it runs
 */
export function startClient(
  command: readonly string[],
  { url, token }: ShipperTarget,
  documented = ''
): Promise<RunningShipper> {
  const [program, ...args] = command;
  const env = { ...process.env, LQE_URL: url, LQE_TOKEN: token, LQE_DOCUMENTED: documented };
  return readsInput(startChild(program!, args, { env }));
}

/** Resolves when the program is ready. */
export async function readsInput(child: Child): Promise<RunningShipper> {
  await child.says(/ready/);
  const input = child.process.stdin!;
  return {
    log: async (lines) => {
      if (!input.write(lines.map((line) => `${line}\n`).join(''))) await once(input, 'drain');
    },
    end: async () => {
      input.end();
      await child.ended();
    },
    stop: () => child.kill(),
    output: () => child.output(),
  };
}
