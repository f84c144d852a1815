/**
 * Layout of the file with the filter of a sealed part. For each gram, a row of bits says which blocks of the part have
 * it. Stripes of 256 blocks follow each other; a stripe is an array of pages with as many whole rows as fit, each page
 * with its checksum. The end of the file describes it.
 */
import { crc32 } from 'node:zlib';
import { GRAM_BITS } from './grams';

/** Rows of a block: a vector of DuckDB, which it decodes as a whole. */
export const BLOCK_ROWS = 2_048;
export const STRIPE_BLOCKS = 256;
export const PAGE_BYTES = 4_096;
const CHECKSUM_BYTES = 4;
/** Another one when anything of the layout, the folding or the hash changes. */
const MAGIC = 'LQEGRAM2';
/** Length and checksum of the description, and the magic word. */
const TRAILER_BYTES = 16;
/** Longer than the description of any part. */
const MAX_DESCRIPTION_BYTES = 64 * 1024 * 1024;

export interface FilterDescription {
  /** Name of the sealed part. */
  readonly table: string;
  readonly rows: number;
  /** Searched column. */
  readonly column: string;
  /** Column with the tenant of an event; null: the source has no such column. */
  readonly tenantColumn: string | null;
  /** For each block, the key of the tenant of all of its rows; '': there are several. */
  readonly tenants: readonly string[];
  /** For a filter by tenant, whose blocks are the rows of one tenant each, wherever they are. */
  readonly ofTenants?: readonly TenantTexts[];
  /** Empty: the part has no filter, since it would be too large for what it saves. */
  readonly stripes: readonly Stripe[];
  /** Pages of all stripes. */
  readonly pages: number;
}

/** The texts of the events of a tenant. */
export interface TenantTexts {
  /** Null: of events without a tenant. */
  readonly tenant: string | null;
  readonly rows: number;
  /** What all texts begin with; '' if an event has none. */
  readonly prefix: string;
}

export interface Stripe {
  readonly blocks: number;
  /** Bits of a gram that tell its row. */
  readonly bits: number;
  /** Number of its first page in the file. */
  readonly firstPage: number;
}

/** The place of a row of bits. */
export interface RowPlace {
  readonly page: number;
  /** In the page. */
  readonly offset: number;
}

export function rowBytes({ blocks }: Pick<Stripe, 'blocks'>): number {
  return Math.ceil(blocks / 8);
}

export function rowPlace(stripe: Stripe, gram: number): RowPlace {
  const bytes = rowBytes(stripe);
  const perPage = rowsPerPage(bytes);
  const row = gram >>> (GRAM_BITS - stripe.bits);
  return { page: stripe.firstPage + Math.floor(row / perPage), offset: (row % perPage) * bytes };
}

/** Pages of a stripe. @param rows of all grams, one after the other */
export function stripePages(rows: Uint8Array, bytesOfRow: number): Buffer {
  const perPage = rowsPerPage(bytesOfRow);
  const count = Math.ceil(rows.length / bytesOfRow / perPage);
  const pages = Buffer.alloc(count * PAGE_BYTES);
  for (let page = 0; page < count; page++) {
    const start = page * PAGE_BYTES;
    const from = page * perPage * bytesOfRow;
    pages.set(rows.subarray(from, from + perPage * bytesOfRow), start);
    const end = start + PAGE_BYTES - CHECKSUM_BYTES;
    pages.writeUInt32LE(crc32(pages.subarray(start, end)), end);
  }
  return pages;
}

export function isIntact(page: Buffer): boolean {
  const end = PAGE_BYTES - CHECKSUM_BYTES;
  return page.length === PAGE_BYTES && page.readUInt32LE(end) === crc32(page.subarray(0, end));
}

/** The end of a file, after its last page. */
export function encodeDescription(description: FilterDescription): Buffer {
  const text = Buffer.from(JSON.stringify(description));
  const trailer = Buffer.alloc(TRAILER_BYTES);
  trailer.writeUInt32LE(text.length, 0);
  trailer.writeUInt32LE(crc32(text), 4);
  trailer.write(MAGIC, 8, 'latin1');
  return Buffer.concat([text, trailer]);
}

/**
 * Reads the description of a file. @param read reads bytes of the file
 * @returns null for anything else
 */
export async function decodeDescription(
  fileBytes: number,
  read: (position: number, length: number) => Promise<Buffer>
): Promise<FilterDescription | null> {
  if (fileBytes < TRAILER_BYTES) return null;
  const trailer = await read(fileBytes - TRAILER_BYTES, TRAILER_BYTES);
  if (trailer.length < TRAILER_BYTES || trailer.toString('latin1', 8) !== MAGIC) return null;
  const length = trailer.readUInt32LE(0);
  if (length > Math.min(MAX_DESCRIPTION_BYTES, fileBytes - TRAILER_BYTES)) return null;
  const text = await read(fileBytes - TRAILER_BYTES - length, length);
  if (text.length < length || crc32(text) !== trailer.readUInt32LE(4)) return null;
  const description = JSON.parse(text.toString()) as FilterDescription;
  return description.pages * PAGE_BYTES + length + TRAILER_BYTES === fileBytes ? description : null;
}

function rowsPerPage(bytesOfRow: number): number {
  return Math.floor((PAGE_BYTES - CHECKSUM_BYTES) / bytesOfRow);
}
