/** IPv4 addresses in the host names that clouds make of them: `ip-10-0-0-1`. */
import type { Detector, Report } from '../detector';

const HOST = /(?<![A-Za-z0-9])ip-(\d{1,3})-(\d{1,3})-(\d{1,3})-(\d{1,3})(?![0-9-])/gi;

/** Cheaper to look for. */
const HINT = /[Pp]-\d/;

export const cloudHost: Detector = {
  kind: 'ip',
  seesThroughEscapes: false,
  find: findCloudHosts,
  source: [{ secret: '(?i:ip)(?:-[0-9]{1,3}){4}' }],
};

function findCloudHosts(text: string, report: Report): void {
  if (!HINT.test(text)) return;
  for (const match of text.matchAll(HOST)) {
    if (match.slice(1).every((octet) => Number(octet) < 256)) report(match.index, match.index + match[0].length);
  }
}
