import { existsSync } from 'node:fs';

const USUAL_PLACE = '/usr/bin/chromium';

/** The browser to drive: `CHROMIUM`, which `npm test` sets, or the one that Debian installs. @throws Error when there is none */
export function findChromium(): string {
  const place = process.env.CHROMIUM ?? USUAL_PLACE;
  if (existsSync(place)) return place;
  throw new Error(
    `there is no Chromium at ${place}: install the package "chromium", or set CHROMIUM to the path of one`
  );
}
