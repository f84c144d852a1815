/**
 * Makes the project ready and serves, without sample data. Settings come from the environment (docs/settings.md).
 *
 *   npm start
 */
import { setup } from './setup.mjs';
import { startServer } from './processes/server-process.mjs';

await setup({ purpose: 'serve' });
const server = startServer({ stdio: 'inherit' });
process.exitCode = await server.ended;
