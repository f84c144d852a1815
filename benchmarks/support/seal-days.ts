/** Seals the past days of a data folder, as a server does by itself an hour after their last event. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** @param dataDir of a running service or of none */
export async function sealPastDays(root: string, dataDir: string): Promise<void> {
  const command = [join(root, 'build', 'bin', 'lqe.js'), 'store', 'seal'];
  const env = { ...process.env, LQE_DATA_DIR: dataDir };
  const child = spawn(process.execPath, command, { cwd: root, env, stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`"lqe store seal" ended with ${code ?? 'a signal'}`);
}
