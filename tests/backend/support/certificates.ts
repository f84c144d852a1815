import { readFileSync } from 'node:fs';
import path from 'node:path';

export type CertificateName = 'server' | 'expired' | 'other' | 'client' | 'self';

const FOLDER = path.join(__dirname, 'certificates');

export const certificateFile = (name: string) => path.join(FOLDER, `${name}.pem`);

const read = (name: string) => readFileSync(certificateFile(name), 'utf8');

/** The authority that has signed all of them but `self`. */
export const AUTHORITY = read('ca');

export function certificate(name: CertificateName): { readonly cert: string; readonly key: string } {
  return { cert: read(name), key: read(`${name}-key`) };
}
