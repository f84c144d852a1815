/**
 * Set-ups of syslog: a listener of the service, and what sends to it. docs/shippers.md shows the same texts: a test
 * compares them.
 */
import { lines, plain, type ShipperTarget } from './shipper-target';
import type { Shipper } from './shippers';

/** Port of the documented listeners. */
const PORT = 5514;

export const SYSLOG_SETUPS: readonly Shipper[] = [
  {
    name: 'Syslog: listener of the service',
    section: 'A listener',
    write: writeListener,
    note: 'Syslog has no token. Name a file with this text in LQE_SYSLOG_FILE, list the networks that may send under allow, and restart the service.',
  },
  {
    name: 'Syslog: rsyslog',
    section: 'rsyslog, as syslog',
    write: writeRsyslog,
    note: 'The service takes it where it has a listener: the first set-up of syslog. The queue keeps messages on disk while the service is away.',
  },
  {
    name: 'Syslog: syslog-ng',
    section: 'syslog-ng, as syslog',
    write: writeSyslogNg,
    note: 'The service takes it where it has a listener: the first set-up of syslog. The source s_proxy is one of your own configuration.',
  },
];

function writeListener({ source, project, tenantField }: ShipperTarget): string {
  return lines(
    'listeners:',
    '  - name: network',
    '    transport: tcp',
    '    host: 0.0.0.0',
    `    port: ${PORT}`,
    `    source: ${plain(source)}`,
    tenantField === null ? null : `    tenant: ${plain(project)}`,
    '    allow: [10.0.0.0/8, 127.0.0.0/8]'
  );
}

/** Without the brackets of an IPv6 address. */
function hostOf({ url }: ShipperTarget): string {
  return new URL(url).hostname.replace(/^\[(.*)\]$/, '$1');
}

function writeRsyslog(target: ShipperTarget): string {
  return lines(
    `action(type="omfwd" target="${hostOf(target)}" port="${PORT}" protocol="tcp" template="RSYSLOG_SyslogProtocol23Format"`,
    '  TCP_Framing="octet-counted" queue.type="LinkedList" queue.filename="lqe" queue.saveOnShutdown="on"',
    '  action.resumeRetryCount="-1" action.resumeInterval="5")'
  );
}

function writeSyslogNg(target: ShipperTarget): string {
  return lines(
    `destination d_lqe_syslog { syslog("${hostOf(target)}" transport("tcp") port(${PORT})); };`,
    'log { source(s_proxy); destination(d_lqe_syslog); flags(flow-control); };'
  );
}
