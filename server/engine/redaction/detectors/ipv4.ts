/**
 * IPv4 addresses: four numbers of 0 to 255 with dots between, leading zeros allowed; a port (behind a dot, too), a
 * prefix length, brackets and punctuation beside them stay.
 *
 * Not an address: five or more numbers with dots between (an object identifier, a long version) but for an address with
 * a port; a version that says so by what stands before (`v1.2.3.4`, `version 1.2.3.4`, `nginx/1.25.3.1`) or after
 * (`1.2.3.4-rc1`, `1.2.3.4b2`, `1.2.3.4-1ubuntu2`); a browser's version (`Chrome/120.0.0.0`).
 */
import type { Detector, Report } from '../detector';
import { DIGIT, DOT, ESCAPES_BEFORE } from '../escapes';

const DOTTED = /(?<!\d|\d\.)(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})(?!\d)(?:\.(\d+)(?!\d|\.\d))?(?!\.\d)/g;

/** Length of the text before a find that can mark it as a version. */
const LEAD = 32;
const VERSION_BEFORE = /(?:(?:^|[^A-Za-z0-9])v|(?:^|[^A-Za-z])(?:ver|vers|version)[.:]?[ =/]{1,2}v?)$/i;
/**
 * These words also precede addresses ("DHCP release 203.0.113.7"), so they indicate a version only before a small first
 * number.
 */
const RELEASE_BEFORE = /(?:^|[^A-Za-z])(?:release|rel|rev|revision|build)[.:]?[ =/]{1,2}v?$/i;
const LEASE_BEFORE = /(?:dhcp|lease|address|addr|ip)\w*[ :,-]{1,3}(?:release|rel)[.:]?[ =/]{1,2}$/i;
/** Programs and container images that are followed by their version. */
const PROGRAM_BEFORE =
  /(?:^|[^A-Za-z0-9])(?:alpine|apache|bind|busybox|caddy|curl|debian|dnsmasq|docker|dovecot|elasticsearch|envoy|exim|go|gotrue|grafana|haproxy|httpd|java|jdk|jenkins|keycloak|kibana|kong|logflare|logstash|mariadb|memcached|minio|mongo|mongodb|mysql|mysqld|nats|nginx|node|nodejs|openresty|openssh|openssl|oracle|pgbouncer|php|postfix|postgis|postgres|postgresql|postgrest|prometheus|proftpd|python|rabbitmq|realtime|redis|ruby|sqlite|squid|storage-api|supavisor|tomcat|traefik|ubuntu|unbound|valkey|varnish|vault|vsftpd|wget)[:/_]$/i;
const BROWSER_BEFORE =
  /(?:Chrome|Chromium|CriOS|Edge?|EdgA|EdgiOS|OPR|Opera|OPT|Vivaldi|Whale|YaBrowser|Brave|Electron|SamsungBrowser|Firefox|FxiOS|Safari|Version|GSA|MiuiBrowser|UCBrowser|QQBrowser|MicroMessenger)\/$/;
const PRODUCT_BEFORE = /[A-Za-z]\/$/;
const VERSION_AFTER =
  /^(?:[-+_.~]?(?:rc|alpha|beta|dev|pre|preview|post|snapshot|nightly|canary|build|git|release|final|ga|sp|hotfix|patch)[-.]?\d*(?![A-Za-z])|[-_]?[abpr]\d+(?![A-Za-z0-9])|[-+_~](?:alpine|bookworm|bullseye|buster|slim|jammy|noble|amd64|arm64|x86|linux|windows|win)|-\d+(?:\.\d+)*[.~+]?(?:ubuntu|deb|el|fc|build|bpo|nmu))/i;

export const ipv4: Detector = {
  kind: 'ip',
  seesThroughEscapes: true,
  find: findIpv4,
  source: [
    {
      before: ESCAPES_BEFORE,
      secret: `${DIGIT}{1,3}(?:${DOT}${DIGIT}{1,3}){3}`,
      hint: `${DIGIT}(?:${DOT}${DIGIT}+){3}`,
    },
  ],
};

function findIpv4(text: string, report: Report): void {
  for (const match of text.matchAll(DOTTED)) {
    if (!hasOctets(match)) continue;
    const [whole, , , , , port] = match;
    const address = port === undefined ? whole : whole.slice(0, -port.length - 1);
    const end = match.index + address.length;
    if (port !== undefined && !isPort(port, match, text)) continue;
    if (!isVersion(text, match.index, end, address)) report(match.index, end);
  }
}

/** Ports of services that listen, as tcpdump writes them: `203.0.113.7.443`. */
const SERVICES = new Set(
  '20 21 22 23 25 53 67 68 69 80 88 110 123 137 138 139 143 161 162 179 389 443 445 465 500 514 587 631 636 853 873 989 990 993 995'.split(
    ' '
  )
);
const ARROW = /^: |^ >|^ </;

/**
 * Whether a fifth number is a port: large, or that of a known service, after neither a version nor an object
 * identifier.
 */
function isPort(port: string, match: RegExpExecArray, text: string): boolean {
  if (port.length > 5 || port.startsWith('0') || Number(port) > 65535) return false;
  if (Number(port) > 1023) return true;
  const end = match.index + match[0].length;
  if (/[<>] $/.test(text.slice(Math.max(0, match.index - 2), match.index)) || ARROW.test(text.slice(end, end + 2)))
    return true;
  return SERVICES.has(port) && (isPrivate(match) || match.slice(1, 5).some((octet) => octet.length === 3));
}

function isPrivate({ 1: first, 2: second }: RegExpExecArray): boolean {
  return (
    first === '10' ||
    first === '127' ||
    (first === '172' && Number(second) > 15 && Number(second) < 32) ||
    first === '192'
  );
}

function hasOctets(match: RegExpExecArray): boolean {
  return Number(match[1]) < 256 && Number(match[2]) < 256 && Number(match[3]) < 256 && Number(match[4]) < 256;
}

function isVersion(text: string, start: number, end: number, address: string): boolean {
  const lead = text.slice(Math.max(0, start - LEAD), start);
  if (VERSION_BEFORE.test(lead) || BROWSER_BEFORE.test(lead)) return true;
  if (isSmall(address) && (PROGRAM_BEFORE.test(lead) || (RELEASE_BEFORE.test(lead) && !LEASE_BEFORE.test(lead))))
    return true;
  // Browsers that hide their version: Chrome/120.0.0.0. A path can end so too, but no host has such an address.
  if (address.endsWith('.0.0.0') && PRODUCT_BEFORE.test(lead)) return true;
  return VERSION_AFTER.test(text.slice(end, end + LEAD));
}

/** First numbers of versions are small; 10 begins private addresses. */
function isSmall(address: string): boolean {
  const first = Number(address.slice(0, address.indexOf('.')));
  return first < 40 && first !== 10;
}
