/** Supported part of JSONPath: `$`, `.key`, `."key"`, `['key']`, `[0]`. A path matches at most one value. */

/** A key, or an index into an array. */
export type JsonPathStep = string | number;

const STEP =
  /\.([\p{L}_$-][\p{L}\p{N}_$-]*)|\.?"([^"\\*]+)"|\[\s*'([^'"\\*]+)'\s*\]|\[\s*"([^"\\*]+)"\s*\]|\[\s*(\d{1,6})\s*\]/uy;
const MAX_STEPS = 32;

export class JsonPathError extends Error {
  constructor(
    message: string,
    /** 1-based position in the path. */
    readonly character: number
  ) {
    super(message);
  }
}

/** Whether a key can be part of a path. */
export function isJsonKey(key: string): boolean {
  return /^[^'"\\*]+$/.test(key);
}

/** @throws JsonPathError */
export function parseJsonPath(path: string): readonly JsonPathStep[] {
  if (!path.startsWith('$')) throw new JsonPathError('it must begin with $', 1);
  const steps: JsonPathStep[] = [];
  let at = 1;
  while (at < path.length) {
    STEP.lastIndex = at;
    const match = STEP.exec(path);
    if (match === null || (match[2] !== undefined && path[at] !== '.')) {
      throw new JsonPathError(`unexpected "${path.slice(at, at + 10)}"`, at + 1);
    }
    const key = match[1] ?? match[2] ?? match[3] ?? match[4];
    steps.push(key ?? Number(match[5]));
    at = STEP.lastIndex;
  }
  if (steps.length > MAX_STEPS) throw new JsonPathError(`it has more than ${MAX_STEPS} steps`, 1);
  return steps;
}
