/** Options of commands that work on a running server over HTTP. */
import type { Command } from 'commander';
import type { Scope } from '#contract/tokens/token';
import type { ManagementTarget } from './management-client';
import { noToken } from './server-target';

export interface ServerFlags {
  readonly url: string;
  readonly token?: string;
}

export function addServerOptions(command: Command): Command {
  return command
    .option('--url <url>', 'base URL of the server, or LQE_URL', process.env.LQE_URL || 'http://127.0.0.1:8080')
    .option('--token <token>', 'access token, or LQE_TOKEN');
}

/** @throws Error without an access token */
export function targetOf({ url, token = process.env.LQE_TOKEN }: ServerFlags, scope: Scope): ManagementTarget {
  if (token === undefined || token === '') throw new Error(noToken(scope));
  return { url, token };
}
