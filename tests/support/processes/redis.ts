/** A Redis of its own for a test, with a password, in memory only. */
import { connect } from 'node:net';
import { once } from 'node:events';
import { type DatabaseProcess, findProgram, freePort, superviseProgram } from './database';

export const REDIS_PASSWORD = 'password-that-no-log-holds';

export async function startRedis(): Promise<DatabaseProcess> {
  const places = [process.env.REDIS_SERVER, '/usr/bin/redis-server', '/usr/local/bin/redis-server'];
  const file = findProgram('Redis', places, 'redis-server');
  const port = await freePort();
  const settings = { port, bind: '127.0.0.1', requirepass: REDIS_PASSWORD, save: '', appendonly: 'no', dir: '/tmp' };
  const program = superviseProgram({
    file,
    args: Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]),
    stopSignal: 'SIGKILL',
    isReady: () => accepts(port),
  });
  await program.start();
  return { ...program, url: `redis://:${REDIS_PASSWORD}@127.0.0.1:${port}/0`, remove: () => program.stop() };
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
