/** Reload on SIGHUP: reads the definitions again and replaces the served ones if all of them can be served. */
import { ServiceError } from '#contract/errors';
import type { AppContext } from './context';
import { formatCatalogError } from '../catalog/database/format-error';
import { DefinitionsError } from '../catalog/definitions/definition-problem';
import { readDefinitionSet } from '../catalog/definitions/definition-set';
import { serveDefinitions } from '../catalog/definitions/serve-definitions';

/** Runs one reload at a time. Requests during a reload, or before the server has started, cause one more. */
export class DefinitionsReload {
  private ctx: AppContext | null = null;
  private isWanted = false;
  private isRunning = false;

  request(): void {
    this.isWanted = true;
    void this.run();
  }

  /** Called when the server has started. */
  start(ctx: AppContext): void {
    this.ctx = ctx;
    void this.run();
  }

  private async run(): Promise<void> {
    if (this.ctx === null || this.isRunning) return;
    this.isRunning = true;
    while (this.isWanted) {
      this.isWanted = false;
      await reload(this.ctx);
    }
    this.isRunning = false;
  }
}

/** Never rejects: on any failure the served definitions stay. */
async function reload(ctx: AppContext): Promise<void> {
  const { logger, catalog, lifecycle } = ctx;
  if (lifecycle.state !== 'serving') {
    logger.warn('the definitions are not reloaded: the server is stopping');
    return;
  }
  try {
    // The watch itself serves, or refuses, the new definitions.
    if (catalog) await catalog.fresh();
    else await reloadFiles(ctx);
  } catch (error) {
    logger.error(describe(error), 'the definitions cannot be reloaded: the former ones stay');
  }
}

function describe(error: unknown): object {
  if (error instanceof DefinitionsError) return { problems: error.problems };
  return error instanceof ServiceError ? { reason: formatCatalogError(error) } : { err: error };
}

async function reloadFiles(ctx: AppContext): Promise<void> {
  const { config, engine, definitions, sources, queryCache, savedQueries, logger } = ctx;
  const { endpointsDir, sourcesFile } = config.files;
  const forget = (endpointId: string): void => queryCache.forget(endpointId);
  const set = readDefinitionSet(endpointsDir, sourcesFile);
  await savedQueries.exclusively(() => serveDefinitions(set, { engine, definitions, sources, forget }));
  logger.info({ queries: definitions.all.length, sources: sources.all.length }, 'the definitions were reloaded');
}
