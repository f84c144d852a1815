/**
 * Runs a call that has the data source's default project. Not every endpoint has a parameter `project`: some ignore an
 * undeclared one, of which the user need not know, others refuse it and are called without it.
 */
import { PluginError } from '../service-client/failures/plugin-error';
import type { QueryAnswer, QueryCall } from '../service-client/service-client';

const PROJECT = 'project';

export async function withDefaultProject(
  call: QueryCall,
  run: (call: QueryCall) => Promise<QueryAnswer>
): Promise<QueryAnswer> {
  try {
    const answer = await run(call);
    return { ...answer, ignoredParameters: withoutProject(answer.ignoredParameters) };
  } catch (error) {
    if (!(error instanceof PluginError) || error.code !== 'parameter_unknown') throw error;
    const { [PROJECT]: _, ...params } = call.params;
    return run({ ...call, params });
  }
}

function withoutProject(names: string | undefined): string | undefined {
  const others = names?.split(', ').filter((name) => name !== PROJECT);
  return others?.join(', ') || undefined;
}
