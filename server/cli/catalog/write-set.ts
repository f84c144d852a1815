import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DefinitionSet, namedTexts } from '../../catalog/definitions/definition-set';

/** Writes a set to a folder, which is empty or does not exist. @throws Error; nothing of the set stays then */
export function writeDefinitionSet(folder: string, set: DefinitionSet): void {
  const endpointsDir = join(folder, 'endpoints');
  const sourcesFile = join(folder, 'sources.yaml');
  mkdirSync(endpointsDir, { recursive: true });
  try {
    for (const [name, text] of namedTexts(set)) writeFileSync(join(endpointsDir, name), text);
    // Last: without it, what a kill leaves cannot be pushed as if it were whole.
    writeFileSync(sourcesFile, set.sources.text);
  } catch (error) {
    rmSync(endpointsDir, { recursive: true });
    rmSync(sourcesFile, { force: true });
    throw error;
  }
}
