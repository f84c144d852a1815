/** Releases of ClickHouse that the store supports. */

/**
 * The first release with every setting of `compiler/print/clickhouse/settings.ts`. Its JSON type is production-ready
 * since 25.3.
 */
const OLDEST = [26, 3] as const;
/**
 * The first safe release of each line: earlier ones have a vulnerability that lets anyone who reaches the port take
 * over the server.
 */
const SAFE = [
  [26, 3, 62, 3],
  [26, 8, 36, 3],
  [26, 9, 27, 3],
  [26, 10, 3, 7],
] as const;
const SAFE_NAMES = new Intl.ListFormat('en-GB').format(SAFE.map((safe) => safe.join('.')));

export interface VersionProblem {
  readonly isFatal: boolean;
  readonly message: string;
}

/** @param version e.g. `26.8.36.5` */
export function versionProblem(version: string): VersionProblem | null {
  const [major = 0, minor = 0, patch = 0, build = 0] = version.split('.').map(Number);
  if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
    return {
      isFatal: true,
      message: `ClickHouse ${version} is too old: 26.3 is the oldest that works`,
    };
  }
  const line = SAFE.find((safe) => safe[0] === major && safe[1] === minor);
  const newest = SAFE[SAFE.length - 1]!;
  const isSafe = line
    ? patch > line[2] || (patch === line[2] && build >= line[3])
    : major > newest[0] || (major === newest[0] && minor > newest[1]);
  if (isSafe) return null;
  return {
    isFatal: false,
    message: `ClickHouse ${version} has a vulnerability that lets every client that reaches its port take it over; it is closed in ${SAFE_NAMES}`,
  };
}
