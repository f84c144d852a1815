import type { Report } from '../detector';

/** Reports the only group of each match. The pattern itself matches what may follow. */
export function reportGroups(
  text: string,
  pattern: RegExp,
  report: Report,
  isWanted?: (secret: string) => boolean
): void {
  for (const match of text.matchAll(pattern)) {
    const [, secret = ''] = match;
    const start = match.index + match[0].lastIndexOf(secret);
    if (isWanted === undefined || isWanted(secret)) report(start, start + secret.length);
  }
}
