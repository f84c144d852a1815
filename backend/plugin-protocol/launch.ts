/** Reads and checks the launch options that Grafana passes in the environment. */
import { existsSync } from 'node:fs';

export interface LaunchOptions {
  readonly listen:
    | { readonly network: 'unix'; readonly folder: string }
    | { readonly network: 'tcp'; readonly minPort: number; readonly maxPort: number };
}

/** Written as one sentence to stderr, for a person who starts the program by hand. */
export class LaunchError extends Error {}

const COOKIE = { name: 'grafana_plugin_type', value: 'datasource' } as const;
const PROTOCOL_VERSION = '2';

export function readLaunchOptions(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform
): LaunchOptions {
  if (env[COOKIE.name] !== COOKIE.value)
    throw new LaunchError('This program is a plugin: Grafana starts it. It does nothing when it is run by hand.');
  const versions = env['PLUGIN_PROTOCOL_VERSIONS'];
  if (versions && !versions.split(',').includes(PROTOCOL_VERSION))
    throw new LaunchError(`The host speaks plugin protocol ${versions}; this plugin speaks ${PROTOCOL_VERSION}.`);
  if (env['PLUGIN_CLIENT_CERT'])
    throw new LaunchError('The host asks for mutual TLS on the plugin socket, which this plugin does not speak.');
  if (platform === 'win32') {
    const minPort = readPort(env['PLUGIN_MIN_PORT'], 10_000);
    return { listen: { network: 'tcp', minPort, maxPort: readPort(env['PLUGIN_MAX_PORT'], 25_000) } };
  }
  return { listen: { network: 'unix', folder: socketFolder(env) } };
}

/** Since version 12.4 Grafana does not pass on its environment, so TMPDIR may be missing. */
function socketFolder(env: Readonly<Record<string, string | undefined>>): string {
  const given = env['PLUGIN_UNIX_SOCKET_DIR'];
  if (given) return given;
  const temporary = env['TMPDIR'];
  return temporary && existsSync(temporary) ? temporary : '/tmp';
}

function readPort(text: string | undefined, otherwise: number): number {
  const port = Number(text);
  return text && Number.isInteger(port) && port >= 1 && port <= 65_535 ? port : otherwise;
}
