/** Programs that scripts/optional-suites/shippers.mjs finds, installs or builds. */

type Program = 'COLLECTOR' | 'JAVA_CLIENTS' | 'PROMTAIL' | 'PYTHON' | 'PYTHON_CLIENTS' | 'RSYSLOG' | 'SYSLOG_NG';

/** @returns the path. Throws where the program is missing. */
export function programOf(name: Program): string {
  const program = process.env[`LQE_SHIPPERS_${name}`];
  if (program) return program;
  throw new Error(
    `LQE_SHIPPERS_${name} names no program. Run "npm run test:shippers", which provides it where it can.`
  );
}
