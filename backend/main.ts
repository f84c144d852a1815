/**
 * Entry point of the backend process: handshake, serve, stop. Only this file uses the environment, signals and stdout.
 * Stdout carries only the handshake line, and nothing is written to the plugin's folder.
 */
import { writeSync } from 'node:fs';
import { Server } from '@grpc/grpc-js';
import { createInstances } from './instances/instances';
import { createMetrics } from './metrics';
import { addGoPluginServices } from './plugin-protocol/go-plugin-services';
import { LaunchError, readLaunchOptions } from './plugin-protocol/launch';
import { createLifetime } from './plugin-protocol/lifetime';
import { listen } from './plugin-protocol/listen';
import { createLogger, type Logger, redirectConsole, textOf } from './plugin-protocol/log';
import { addGrafanaServices } from './services/add-grafana-services';

const STDOUT = 1;
const STDERR = 2;
const MAX_RECEIVED_BYTES = 64 * 1024 * 1024;
/** Grafana kills the process after two seconds; calls still running after this time are abandoned. */
const STOP_WITHIN_MS = 100;

async function main(): Promise<void> {
  const options = readLaunchOptions(process.env, process.platform);
  const logger = createLogger();
  redirectConsole(logger);
  logWhatNobodyCaught(logger);

  const server = new Server({
    'grpc.max_receive_message_length': MAX_RECEIVED_BYTES,
    'grpc.max_send_message_length': -1,
    // No service of Grafana reads these counts of calls and sockets.
    'grpc.enable_channelz': 0,
  });
  const lifetime = createLifetime((reason) => void stop(reason));
  const instances = createInstances(process.env);
  addGoPluginServices(server, lifetime);
  addGrafanaServices(server, { instances, logger, metrics: createMetrics(), now: Date.now });

  const { handshake, release } = await listen(server, options);
  // Ctrl-C reaches all processes of the terminal; Grafana then stops this one.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => lifetime.stop('SIGTERM'));
  process.on('exit', release);
  writeSync(STDOUT, `${handshake}\n`);

  async function stop(reason: string): Promise<void> {
    logger.log('debug', 'The plugin stops', { reason });
    const drained = new Promise<void>((resolve) => server.tryShutdown(() => resolve()));
    const patience = new Promise<void>((resolve) => setTimeout(resolve, STOP_WITHIN_MS));
    await Promise.race([drained, patience]);
    server.forceShutdown();
    process.exit(0);
  }
}

function logWhatNobodyCaught(logger: Logger): void {
  process.removeAllListeners('warning');
  process.on('warning', (warning) => logger.log('warn', textOf(warning)));
  process.on('unhandledRejection', (error) => logger.log('error', textOf(error)));
  process.on('uncaughtException', (error) => {
    logger.log('error', textOf(error));
    process.exit(1);
  });
}

main().catch((error: unknown) => {
  writeSync(STDERR, `${error instanceof LaunchError ? error.message : textOf(error)}\n`);
  process.exit(1);
});
