/** The requests of Fluent Bit, replayed by a stand-in. */
import { describeShipper } from '../support/describe-shipper';
import { documentedBlock, substitute } from '../support/documented';
import { startFluentBit } from './fluent-bit';

describeShipper({
  name: 'Fluent Bit (stand-in)',
  identity: 'distinctive',
  patienceMs: 90_000,
  start: ({ url, token }) => {
    const { hostname, port } = new URL(url);
    const documented = documentedBlock('Fluent Bit');
    const places = { 'host: 127.0.0.1': `host: ${hostname}`, 'port: 8080': `port: ${port}`, '${LQE_TOKEN}': token };
    return Promise.resolve(startFluentBit(substitute(documented, places)));
  },
});
