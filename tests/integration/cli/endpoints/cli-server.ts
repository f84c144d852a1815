/** A real server, and the real command line `lqe endpoints` against it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CommandContext } from '#server/cli/endpoints/command';
import { createManagementClient } from '#server/cli/remote/management-client';
import { createRemoteQueries } from '#server/cli/endpoints/remote/remote-queries';
import {
  type CliOutcome,
  createPlace,
  type Place,
  PROCESS_TOKEN,
  runCliWith,
  type ServiceProcess,
  startService,
} from '../../../support/servers/spawned';

export interface CliServer {
  readonly place: Place;
  readonly service: ServiceProcess;
  /** Runs `lqe endpoints` in a process. */
  lqe(...args: string[]): Promise<CliOutcome>;
  /** The parts of a command, with the answers that a person gives. Collects what is printed. */
  withPerson(...answers: string[]): CommandContext & { readonly printed: string[] };
  stop(): Promise<void>;
}

export async function startCliServer(env: Readonly<Record<string, string>> = {}): Promise<CliServer> {
  const place = createPlace();
  const service = await startService(place, { LQE_MAX_CHANGES_PER_MINUTE: '100000', LQE_LOG_LEVEL: 'error', ...env });
  return {
    place,
    service,
    lqe: (...args) => runCliWith({ LQE_URL: service.url, LQE_TOKEN: PROCESS_TOKEN }, 'endpoints', ...args),
    withPerson: (...answers) => {
      const printed: string[] = [];
      const add = (text: string): void => void printed.push(text);
      return {
        printed,
        remote: createRemoteQueries(
          createManagementClient({ url: service.url, token: PROCESS_TOKEN }, { onWait: add })
        ),
        terminal: {
          isInteractive: true,
          hasColor: false,
          print: add,
          printExactly: add,
          warn: add,
          ask: async (question) => {
            add(question);
            const answer = answers.shift();
            if (answer === undefined) throw new Error(`a person was asked more than expected: ${question}`);
            return answer;
          },
        },
      };
    },
    stop: async () => {
      await service.stop();
      place.remove();
    },
  };
}

/** Files of a folder with their bytes as text. */
export function filesOf(folder: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    readdirSync(folder)
      .sort()
      .map((name) => [name, readFileSync(join(folder, name), 'latin1')])
  );
}
