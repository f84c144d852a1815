/**
 * IPv4 addresses in host names: `ip-10-0-0-1`, `ec2-203-0-113-7.compute-1.amazonaws.com`,
 * `203-0-113-7.dsl.example.net`. After a word that providers use, any four numbers are an address. Otherwise a domain
 * must follow, and one number must have three digits (`report-1-2-3-4.pdf` is not an address).
 */
import type { Detector, Report } from '../detector';

const WORD =
  '(?:ip|ec2|host|static|dynamic|dyn|pool|x?dsl|adsl|vdsl|cable|client|cpe|c|broadband|bb|dhcp|node|customer|cust|user|ppp|pppoe|vps|server|srv|rev|reverse|nat|h|n|p|mobile|ftth|fiber|gw|modem|wlan|vpn)';
const QUAD = '[0-9]{1,3}-[0-9]{1,3}-[0-9]{1,3}-[0-9]{1,3}';
/** After the word a dash, or digits immediately if the word is longer than one letter. */
const NAMED = new RegExp(`(?<![A-Za-z0-9])${WORD}-?(${QUAD})(?![0-9]|-[0-9])`, 'gi');
const IN_DOMAIN = new RegExp(`(?<![0-9]|[0-9]-)(${QUAD})(?=\\.[A-Za-z])`, 'g');
/** Cheap test before the searches. */
const HINT = /\d-\d{1,3}-\d{1,3}-\d/;

export const cloudHost: Detector = {
  kind: 'ip',
  seesThroughEscapes: false,
  find: findCloudHosts,
  source: [{ secret: `(?:(?i:${WORD})-?)?${QUAD}`, hint: '[0-9]-[0-9]+-[0-9]+-[0-9]' }],
};

function findCloudHosts(text: string, report: Report): void {
  if (!HINT.test(text)) return;
  for (const match of text.matchAll(NAMED)) {
    const [, quad = ''] = match;
    if (isAddress(quad)) report(match.index, match.index + match[0].length);
  }
  for (const { 0: quad, index } of text.matchAll(IN_DOMAIN)) {
    if (/[0-9]{3}/.test(quad) && isAddress(quad)) report(index, index + quad.length);
  }
}

function isAddress(quad: string): boolean {
  return quad.split('-').every((octet) => Number(octet) < 256);
}
