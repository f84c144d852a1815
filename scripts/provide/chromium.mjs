/** The browser that tests drive: found, or installed from Debian where that is allowed. */
import { existsSync } from 'node:fs';
import { installFromDebian } from './debian.mjs';

/**
 * Chromium without windows: for the same pages it needs half the processor time, because it draws no window around
 * them.
 */
const HEADLESS_PLACES = ['/usr/lib/chromium/chromium-headless-shell', '/usr/bin/chromium-headless-shell'];
const PLACES = [
  ...HEADLESS_PLACES,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/opt/google/chrome/chrome',
];

/**
 * @returns its path, as environment; left out where it is not installed, and the tests that need it fail and name it.
 */
export async function provideChromium() {
  const { CHROMIUM } = process.env;
  if (CHROMIUM !== undefined && existsSync(CHROMIUM)) return {};
  if (!find(HEADLESS_PLACES)) {
    console.log('Installing a Chromium without windows for the browser tests ...');
    await installFromDebian(['chromium-headless-shell']);
  }
  // Not every release of Debian has that package.
  if (!find(PLACES)) await installFromDebian(['chromium']);
  const chromium = find(PLACES);
  return chromium ? { CHROMIUM: chromium } : {};
}

/** @param {readonly string[]} places */
function find(places) {
  return places.find((place) => existsSync(place));
}
