/** OpenAPI document without saved queries, as anyone may read it: encoded once, and once in each content coding. */
import { compress, type ContentCoding } from '../parsing/negotiation/content-codings';
import { createOpenApiDocument } from './open-api-document';

let plain: Buffer | undefined;
const coded = new Map<ContentCoding, Promise<Buffer>>();

/** Shared by all responses: writing the document takes milliseconds, and unread copies would take memory. */
export function serviceDocument(): Buffer {
  return (plain ??= Buffer.from(JSON.stringify(createOpenApiDocument([], { withService: true }))));
}

export function codedServiceDocument(coding: ContentCoding): Promise<Buffer> {
  let bytes = coded.get(coding);
  if (bytes === undefined) {
    bytes = compress(serviceDocument(), coding);
    coded.set(coding, bytes);
  }
  return bytes;
}
