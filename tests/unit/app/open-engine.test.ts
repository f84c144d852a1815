import { problemOfMemory } from '#server/app/open-engine';
import { envToConfig, readEnv } from '#server/config';

it.each([
  [{ LQE_ENGINE_MEMORY_MB: '512', LQE_ENGINE_RSS_MB: '513' }, false],
  [{ LQE_ENGINE_MEMORY_MB: '512', LQE_ENGINE_RSS_MB: '512' }, true],
  [{ LQE_ENGINE_MEMORY_MB: '2048' }, true],
  [{ LQE_STORE: 'clickhouse', LQE_CLICKHOUSE_URL: 'http://127.0.0.1:8123', LQE_ENGINE_MEMORY_MB: '2048' }, false],
  [{}, false],
])('with %j, a process that ends before its queries reach their memory limit is warned of: %s', (env, isWarned) => {
  expect(problemOfMemory(envToConfig(readEnv(env))) !== null).toBe(isWarned);
});
