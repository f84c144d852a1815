/**
 * Secrets of the containers in docker-compose.yml.
 *
 *   make  [FOLDER]   access token and Grafana's password as files of FOLDER (default /data): as the environment has
 *                    them, else made once
 *   show  [FOLDER]   prints them
 *   check            whether the profile `clickhouse` has secrets of its own
 */
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Read by containers of other users, each of which mounts the volume read-only. */
const READABLE = 0o644;
const ENTERABLE = 0o755;
const MADE_BYTES = 32;
/** "0000…", "changemechangeme…" and the like have fewer. */
const LEAST_DIFFERENT_CHARACTERS = 8;

/** @typedef {{ readonly name: string, readonly form: RegExp, readonly words: string }} Secret */

/** @type {Secret} */
const TOKEN = { name: 'LQE_BOOTSTRAP_TOKEN', form: /^[!-~]{20,}$/, words: '20 visible ASCII characters or more' };
const FILES = [
  { ...TOKEN, file: 'access-token', title: 'Access token' },
  {
    name: 'GRAFANA_ADMIN_PASSWORD',
    form: /^[!-~]{8,}$/,
    words: '8 visible ASCII characters or more',
    file: 'grafana-admin-password',
    title: "Password of Grafana's user admin",
  },
];
const OF_THE_PROFILE = [
  { name: 'STORES_PASSWORD', form: /^[A-Za-z0-9]{20,}$/, words: '20 letters and digits or more' },
  { name: 'LQE_SERVER_KEY', form: /^[0-9a-f]{64}$/, words: '64 hexadecimal digits' },
  TOKEN,
];

const [mode, folder = '/data'] = process.argv.slice(2);
const run = new Map(Object.entries({ make, show, check })).get(mode ?? '');
if (run) run();
else refuse('One of make, show, check is needed.');

function make() {
  const given = FILES.filter(({ name }) => process.env[name]);
  const problems = given.flatMap(problemOf);
  if (problems.length > 0) refuse(`.env: ${problems.join('; ')}.`);
  // A new volume has the mode of the image's /data, which only its owner may enter.
  if ((statSync(folder).mode & ENTERABLE) !== ENTERABLE) chmodSync(folder, ENTERABLE);
  for (const { name, file } of FILES) {
    const path = join(folder, file);
    const chosen = process.env[name];
    if (chosen) writeFileSync(path, chosen, { mode: READABLE });
    else if (!existsSync(path)) writeFileSync(path, randomBytes(MADE_BYTES).toString('hex'), { mode: READABLE });
  }
  console.log(
    'Grafana is at http://localhost:3000, its user is admin. Password and access token: docker compose run --rm secrets show'
  );
}

function show() {
  for (const { file, title } of FILES) console.log(`${title}: ${readFileSync(join(folder, file), 'utf8')}`);
}

function check() {
  const problems = OF_THE_PROFILE.flatMap(problemOf);
  if (problems.length > 0)
    refuse(`The profile clickhouse needs secrets of your own in .env (see .env.example): ${problems.join('; ')}.`);
}

/**
 * @param {Secret} secret
 * @returns {string[]} what is wrong, without the secret
 */
function problemOf({ name, form, words }) {
  const value = process.env[name] ?? '';
  if (value === '') return [`${name} is empty`];
  if (!form.test(value)) return [`${name} must be ${words}`];
  return new Set(value).size < LEAST_DIFFERENT_CHARACTERS ? [`${name} can be guessed`] : [];
}

/**
 * @param {string} reason
 * @returns {never}
 */
function refuse(reason) {
  console.error(reason);
  process.exit(1);
}
