/**
 * Who may import whom in `backend/`. Read a rule as: files of `from` must not import files of `to`. `npm run deps` checks it.
 * All packages are bundled, so all of them are development packages.
 */
const rules = require('../.dependency-rules.cjs');

const folder = (...names) => `^backend/(${names.join('|')})/`;
const mayOnlyReach = rules.mayOnlyReach('^backend/');

module.exports = {
  forbidden: [
    rules.noCycles,
    {
      name: 'backend-and-server-meet-on-the-wire',
      severity: 'error',
      from: { path: '^backend/' },
      to: { path: '^(server|src)/' },
    },
    mayOnlyReach('service-client-knows-http', folder('service-client'), [folder('proto')], 'Settings in, answers out.'),
    mayOnlyReach(
      'frames-know-results',
      folder('frames'),
      ['^backend/service-client/plugin-error\\.ts$'],
      'Columns in, bytes out.'
    ),
    mayOnlyReach(
      'plugin-protocol-starts-and-stops',
      folder('plugin-protocol'),
      [folder('proto')],
      'The same for any plugin.'
    ),
    { name: 'nothing-unresolved', severity: 'error', from: {}, to: { couldNotResolve: true, pathNot: '\\.proto$' } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['^build/', '[.][cm]js$'] },
    tsPreCompilationDeps: true,
    webpackConfig: { fileName: 'backend/.import-aliases.cjs' },
  },
};
