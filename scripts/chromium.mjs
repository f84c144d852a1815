/** The browser that tests drive: found, or installed from Debian where that is allowed. */
import { existsSync } from 'node:fs';
import { installFromDebian } from './debian.mjs';

const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/opt/google/chrome/chrome',
];

/** @returns its path, as environment; left out where it is not installed, and the tests that need it fail and name it. */
export async function provideChromium() {
  if (!find()) {
    console.log('Installing Chromium for the browser tests ...');
    await installFromDebian(['chromium']);
  }
  const chromium = find();
  return chromium ? { CHROMIUM: chromium } : {};
}

function find() {
  return [process.env.CHROMIUM, ...PLACES].find((place) => place !== undefined && existsSync(place));
}
