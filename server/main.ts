/** Entry point of the server: reads the environment, creates the context, listens, and handles signals. */
import { join } from 'node:path';
import type { Server } from 'node:http';
import { type AddressInfo, isIP } from 'node:net';
import { openControlSocket } from './app/control-socket';
import { createApp } from './app/create-app';
import { type Config, envToConfig, readEnv } from './config';
import type { AppContext } from './app/context';
import { createContext } from './app/create-context';
import { describeStartFailure, StartError } from './app/lifecycle/start-failure';
import { startHousekeeping } from './app/lifecycle/housekeeping';
import { fitConnections, readOpenFilesLimit } from './app/lifecycle/open-files';
import { readConsole } from './http/console/console-files';
import { createHttpServer } from './http/server';
import { boundFullCollections } from './common/garbage-collection';
import { readableByOthers } from './common/data-folder/readable-by-others';
import { DefinitionsReload } from './app/reload-definitions';
import { type Listening, shutDown } from './app/lifecycle/shutdown';
import { LogOutput } from './monitoring/log-output';
import { RepeatedWarning } from './monitoring/repeated-warning';
import { observeConnections } from './monitoring/metrics/observe-connections';
import { startSyslog, type SyslogReceiver } from './ingest/syslog/receiver';
import { loadListeners } from './ingest/syslog/settings/load-listeners';

/** Beside the built server. */
const CONSOLE_FOLDER = join(__dirname, '..', 'console');

async function main(): Promise<void> {
  const reload = new DefinitionsReload();
  // Before everything else: without a listener the signal ends the process, even during the start.
  if (!isInTerminal()) process.on('SIGHUP', () => reload.request());
  const { config, warning } = fitConnections(envToConfig(readEnv(process.env)), readOpenFilesLimit());
  // After the settings: the build lets them fail, and what it records then is of use to a process with its flags alone.
  boundFullCollections();
  const output = openLogOutput();
  const ctx = await createContext(config, output);
  if (warning !== null) ctx.logger.warn(warning);
  try {
    await serve(ctx, output);
    reload.start(ctx);
  } catch (error) {
    await ctx.engine.close();
    throw error;
  }
}

async function serve(ctx: AppContext, output: LogOutput): Promise<void> {
  const { config, logger } = ctx;
  const isWanted = config.console === 'on';
  const console = isWanted ? readConsole(CONSOLE_FOLDER) : null;
  if (isWanted && console === null) logger.info('the console is not built: "npm run build" makes it');
  const refused = new RepeatedWarning(logger, ctx.clock, 'connections are refused: all are in use, and none is idle');
  const onRefused = (): void => refused.log({ max_connections: config.http.maxConnections });
  const server = createHttpServer(createApp(ctx, console), config.http, onRefused);
  observeConnections(ctx.metrics.registry, server.connectionStats);
  const { port } = await listen(server, config);
  server.on('error', (error) => logger.warn({ err: error }, 'a connection could not be accepted'));
  const syslog = await openSyslog(ctx);
  await warnWhenOpen(ctx);
  warnWhenReadable(ctx);
  const control = await openControlSocket(ctx);
  const stopHousekeeping = startHousekeeping(ctx);
  if (syslog) renewOnSignal(syslog);
  endOnSignals(ctx, { server, syslog }, () => {
    stopHousekeeping();
    control?.close();
  });
  const onCrash = (error: unknown): void => {
    logger.fatal({ err: error }, 'unexpected failure, the process ends');
    process.exit(1);
  };
  process.on('uncaughtException', onCrash);
  process.on('unhandledRejection', onCrash);
  // Printed last: a client that waits for this line may send requests and signals from now on.
  output.write(`${readyLine(ctx, port)}\n`);
}

function openLogOutput(): LogOutput {
  // Opened by Node, a pipe does not block.
  const output = new LogOutput(process.stdout.fd);
  process.once('exit', () => output.flushSync());
  // The engine prints to it: a full disk or a closed pipe must not end the service.
  process.stderr.on('error', () => undefined);
  return output;
}

/** True in a terminal, which sends SIGHUP when it is closed: the server must not outlive it. */
function isInTerminal(): boolean {
  return process.stdout.isTTY;
}

async function openSyslog(ctx: AppContext): Promise<SyslogReceiver | null> {
  const { file } = ctx.config.syslog;
  if (file === null) return null;
  const listeners = loadListeners(file, ctx.sources.all);
  const receiver = await startSyslog(ctx, listeners);
  ctx.listeners.replace(listeners);
  return receiver;
}

/** Certificates are renewed on the signal that reloads the definitions. */
function renewOnSignal(syslog: SyslogReceiver): void {
  if (!isInTerminal()) process.on('SIGHUP', () => syslog.renewCertificates());
}

/** The first signal stops gracefully, the second at once. */
function endOnSignals(ctx: AppContext, listening: Listening, stopOthers: () => void): void {
  let stopping = false;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (stopping) process.exit(1);
    stopping = true;
    ctx.logger.info({ signal }, 'stopping');
    stopOthers();
    // Ctrl-C in a terminal needs no delay for a load balancer.
    const delayMs = signal === 'SIGINT' ? 0 : ctx.config.drain.delayMs;
    void shutDown(ctx, listening, delayMs).then(() => process.exit(0), fail);
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  if (isInTerminal()) process.on('SIGHUP', onSignal);
}

function listen(server: Server, { listen: { host, port } }: Config): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(new StartError(`cannot listen on ${host}:${port} (LQE_HOST, LQE_PORT): ${describeListenError(error)}`));
    });
    server.listen(port, host, () => resolve(server.address() as AddressInfo));
  });
}

function describeListenError(error: NodeJS.ErrnoException): string {
  switch (error.code) {
    case 'EADDRINUSE':
      return 'the port is in use';
    case 'EACCES':
      return 'not allowed to use this port';
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return 'this machine has no such address';
    default:
      return error.code ?? error.message;
  }
}

function readyLine({ config, definitions, sources }: AppContext, port: number): string {
  const { host } = config.listen;
  const shown = isIP(host) === 6 ? `[${host}]` : host;
  const queries = definitions.all.length === 1 ? '1 saved query' : `${definitions.all.length} saved queries`;
  const kinds = sources.all.length === 1 ? '1 source' : `${sources.all.length} sources`;
  return `Log Query Endpoints listens on http://${shown}:${port} (${queries}, ${kinds}, data in ${config.files.dataDir})`;
}

async function warnWhenOpen(ctx: AppContext): Promise<void> {
  const { host } = ctx.config.listen;
  const isLoopback = host === 'localhost' || host === '::1' || /^127\./.test(host);
  if (await ctx.tokens.hasAnyToken()) return;
  const advice =
    'there is no access token yet: create one with "npx lqe token create --name admin --scope all" and the settings of' +
    ' this server (LQE_DATA_DIR), or set LQE_BOOTSTRAP_TOKEN';
  if (isLoopback) ctx.logger.info(advice);
  else ctx.logger.warn({ host }, `listening beyond this machine, and ${advice}`);
}

/** Warns about readable files; their modes are the operator's choice and are not changed. */
function warnWhenReadable({ config, logger }: AppContext): void {
  if (config.store !== 'duckdb') return;
  const paths = readableByOthers(config.files.dataDir);
  if (paths.length === 0) return;
  logger.warn({ paths }, 'other users of this machine may read stored events: remove their rights with "chmod o-rwx"');
}

function fail(error: unknown): never {
  process.stderr.write(`${describeStartFailure(error)}\n`);
  process.exit(1);
}

main().catch(fail);
