/** Fictional clients at locations around the world, with addresses, networks and names reserved for documentation. */
import { weighted, type Picker, type Random } from '../random';

export interface Place {
  readonly country: string;
  readonly continent: string;
  readonly city: string;
  readonly colo: string;
  readonly timezone: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly asn: number;
  readonly asOrganization: string;
  readonly isEuCountry: boolean;
}

/** Autonomous system numbers 64496 to 64511 are reserved for documentation. */
const PLACES: readonly (readonly [Place, number])[] = [
  [place('US', 'NA', 'Ashburn', 'IAD', 'America/New_York', 39.04, -77.49, 64496, 'Example Cable', false), 30],
  [place('US', 'NA', 'San Jose', 'SJC', 'America/Los_Angeles', 37.34, -121.89, 64497, 'Example Mobile', false), 14],
  [place('DE', 'EU', 'Frankfurt', 'FRA', 'Europe/Berlin', 50.11, 8.68, 64498, 'Beispielnetz', true), 15],
  [place('GB', 'EU', 'London', 'LHR', 'Europe/London', 51.51, -0.13, 64499, 'Example Broadband', false), 11],
  [place('FR', 'EU', 'Paris', 'CDG', 'Europe/Paris', 48.86, 2.35, 64500, 'Exemple Telecom', true), 7],
  [place('BR', 'SA', 'Sao Paulo', 'GRU', 'America/Sao_Paulo', -23.55, -46.63, 64501, 'Exemplo Fibra', false), 7],
  [place('IN', 'AS', 'Mumbai', 'BOM', 'Asia/Kolkata', 19.08, 72.88, 64502, 'Example Wireless', false), 7],
  [place('JP', 'AS', 'Tokyo', 'NRT', 'Asia/Tokyo', 35.68, 139.69, 64503, 'Example Hikari', false), 5],
  [place('AU', 'OC', 'Sydney', 'SYD', 'Australia/Sydney', -33.87, 151.21, 64504, 'Example Coast', false), 4],
];

function place(
  country: string,
  continent: string,
  city: string,
  colo: string,
  timezone: string,
  latitude: number,
  longitude: number,
  asn: number,
  asOrganization: string,
  isEuCountry: boolean
): Place {
  return { country, continent, city, colo, timezone, latitude, longitude, asn, asOrganization, isEuCountry };
}

export const pickPlace: Picker<Place> = weighted(PLACES);

export interface Agent {
  readonly text: string;
  readonly isBot: boolean;
  /** Name of the client library in a request header. */
  readonly library: string | undefined;
}

const BROWSER_LIBRARY = 'example-js-web/2.45.4';

export const pickAgent: Picker<Agent> = weighted<Agent>([
  [
    agent(
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
      BROWSER_LIBRARY
    ),
    30,
  ],
  [
    agent(
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/605.1.15',
      BROWSER_LIBRARY
    ),
    16,
  ],
  [
    agent(
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
      BROWSER_LIBRARY
    ),
    18,
  ],
  [
    agent(
      'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36',
      BROWSER_LIBRARY
    ),
    14,
  ],
  [agent('Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0', BROWSER_LIBRARY), 6],
  [agent('Dart/3.9 (dart:io)', 'example-flutter/2.10.1'), 7],
  [agent('node', 'example-js-node/2.45.4'), 6],
  [agent('python-httpx/0.28.1', 'example-py/2.18.0'), 3],
]);

export const pickBot: Picker<Agent> = weighted<Agent>([
  [bot('Mozilla/5.0 (compatible; ExampleBot/2.1; +https://bot.example.com/about)'), 5],
  [bot('Mozilla/5.0 (compatible; SampleCrawler/1.4; +https://crawler.example.com)'), 3],
  [bot('curl/8.14.1'), 2],
  [bot('Go-http-client/2.0'), 2],
]);

/** Agent of scheduled function calls. */
export const SCHEDULER: Agent = { text: 'ExampleScheduler/3.2', isBot: false, library: undefined };

function agent(text: string, library: string): Agent {
  return { text, isBot: false, library };
}

function bot(text: string): Agent {
  return { text, isBot: true, library: undefined };
}

/** An address out of 203.0.113.0/24, 198.51.100.0/24 or 2001:db8::/32, all reserved for documentation. */
export function pickAddress(random: Random): string {
  const kind = random.next();
  if (kind < 0.45) return `203.0.113.${1 + random.below(254)}`;
  if (kind < 0.85) return `198.51.100.${1 + random.below(254)}`;
  return `2001:db8:${hex(random, 0xffff)}:${hex(random, 0xffff)}::${hex(random, 0xfffe)}`;
}

function hex(random: Random, limit: number): string {
  return (1 + random.below(limit)).toString(16);
}
