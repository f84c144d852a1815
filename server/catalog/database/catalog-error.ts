import { ServiceError } from '#contract/errors';
import { errorCode } from '../../common/caught-error';

/**
 * Kinds of catalog failures. Their messages are the service's own: those of the driver may contain parts of the URL.
 */
export type CatalogTrouble = 'unreachable' | 'unconfirmed' | 'refused' | 'not_ready' | 'failed';

export class CatalogError extends Error {
  override readonly name = 'CatalogError';

  constructor(
    readonly trouble: CatalogTrouble,
    message: string
  ) {
    super(message);
  }
}

/** The error of a caller, to whom the reason is not shown. */
export function catalogUnavailable(error: CatalogError): ServiceError {
  if (error.trouble === 'unconfirmed')
    return new ServiceError(
      'catalog_unavailable',
      'The catalog did not confirm the change, which may be stored. Read what is stored before you retry.',
      { reason: 'unconfirmed' },
      { cause: error }
    );
  return new ServiceError(
    'catalog_unavailable',
    'The catalog cannot be read or changed now. Retry later.',
    {},
    { cause: error }
  );
}

/** SQLSTATE codes whose cause an operator can fix. https://www.postgresql.org/docs/current/errcodes-appendix.html */
const KNOWN_STATES: Readonly<Record<string, readonly [CatalogTrouble, string]>> = {
  '28P01': ['refused', 'the database refuses the user or the password'],
  '28000': ['refused', 'the database refuses the user'],
  '3D000': ['refused', 'there is no such database'],
  '42501': ['refused', 'the user of the database lacks a right'],
  '25006': ['refused', 'the database takes no changes: it is a copy, or read-only'],
  '42P01': ['not_ready', 'the database holds no catalog; make it with "lqe catalog init"'],
  '53300': ['unreachable', 'the database has too many connections'],
  '57014': ['unreachable', 'the database did not answer in time'],
  '57P01': ['unreachable', 'the database is shutting down'],
  '57P02': ['unreachable', 'the database has stopped'],
  '57P03': ['unreachable', 'the database is starting'],
};

/** Class of the failures of a connection: a pooler reports so that it has lost the database. */
const CONNECTION_STATE = /^08[0-9A-Z]{3}$/;
const CONNECTION_ENDED = 'the connection to the database has ended';
const TIMEOUTS = /timeout|timed out/i;

/** Keeps only the code of the driver's error, which is one word. */
export function translateCatalogError(error: unknown): CatalogError {
  if (error instanceof CatalogError) return error;
  const { code, message } = describe(error);
  const known = KNOWN_STATES[code];
  if (known) return new CatalogError(...known);
  if (code === 'ERR_INVALID_URL') return new CatalogError('refused', 'LQE_CATALOG_URL is not a URL');
  if (/CERT|TLS|SSL/.test(code))
    return new CatalogError('refused', `the certificate of the database is not trusted (${code})`);
  if (/does not support SSL/.test(message))
    return new CatalogError('refused', 'the URL asks for TLS, which the database does not speak');
  if (TIMEOUTS.test(message)) return new CatalogError('unreachable', 'the database did not answer in time');
  // Before the codes of the database: EPIPE is as long as one.
  if (/^E[A-Z_]+$/.test(code)) return new CatalogError('unreachable', `the database cannot be reached (${code})`);
  if (CONNECTION_STATE.test(code)) return new CatalogError('unreachable', CONNECTION_ENDED);
  if (/^[0-9A-Z]{5}$/.test(code)) return new CatalogError('failed', `the database failed (SQLSTATE ${code})`);
  return new CatalogError('unreachable', CONNECTION_ENDED);
}

function describe(error: unknown): { readonly code: string; readonly message: string } {
  // When several addresses were tried, any of their errors will do.
  const one: unknown = error instanceof AggregateError ? (error.errors as unknown[])[0] : error;
  if (!(one instanceof Error)) return { code: '', message: '' };
  return { code: errorCode(one) ?? '', message: one.message };
}
