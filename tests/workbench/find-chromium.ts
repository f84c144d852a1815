import { existsSync } from 'node:fs';

const USUAL_PLACES = ['/usr/lib/chromium/chromium-headless-shell', '/usr/bin/chromium'];

/**
 * The browser to drive: `CHROMIUM`, which `npm test` sets, or the one that Debian installs.
 *
 * @throws Error when no Chromium is found
 */
export function findChromium(): string {
  const { CHROMIUM } = process.env;
  const places = CHROMIUM === undefined ? USUAL_PLACES : [CHROMIUM];
  const found = places.find((place) => existsSync(place));
  if (found !== undefined) return found;
  throw new Error(
    `there is no Chromium at ${places.join(' or ')}: install the package "chromium-headless-shell", or set CHROMIUM to the path of one`
  );
}
