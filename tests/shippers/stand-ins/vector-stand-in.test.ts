/** The requests of Vector, replayed by a stand-in. */
import path from 'node:path';
import { describeShipper } from '../support/describe-shipper';
import { documentedBlock, DOCUMENTED_URL, substitute } from '../support/documented';
import { startVector } from './vector';

describeShipper({
  name: 'Vector (stand-in)',
  identity: 'distinctive',
  patienceMs: 60_000,
  start: ({ url, token, folder }) => {
    const documented = documentedBlock('Vector');
    const config = substitute(documented, { [DOCUMENTED_URL]: url, '${LQE_TOKEN}': token });
    return Promise.resolve(startVector(config, path.join(folder, 'access.log')));
  },
});
