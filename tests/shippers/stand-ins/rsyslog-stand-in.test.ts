/** The requests of rsyslog's omhttp, replayed by a stand-in. */
import { startRsyslog } from './rsyslog';
import { describeShipper } from '../support/describe-shipper';
import { documentedBlock, substitute } from '../support/documented';

describeShipper({
  name: 'rsyslog (stand-in)',
  identity: 'id',
  patienceMs: 90_000,
  start: ({ url, token }) => {
    const { hostname, port } = new URL(url);
    const places = { '127.0.0.1': hostname, '"8080"': `"${port}"`, '`echo $LQE_TOKEN`': `"${token}"` };
    return Promise.resolve(startRsyslog(substitute(documentedBlock('rsyslog'), places)));
  },
});
