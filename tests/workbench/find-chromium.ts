import { existsSync } from 'node:fs';

const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/opt/google/chrome/chrome',
];

/** The browser to drive: `CHROMIUM`, or one that is installed in a usual place; undefined: none. */
export function findChromium(): string | undefined {
  return [process.env.CHROMIUM, ...PLACES].find((place) => place !== undefined && existsSync(place));
}
