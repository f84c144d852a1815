/** A service with the sources of tests/corpus/http/formats, whose store keeps what it is asked to store. */
import { FORMAT_SOURCES, readEntries } from '../cases/http/formats';
import { createTestService, type TestService } from './in-memory';

export interface FormatService extends TestService {
  readonly key: string;
  /** Forgets what is stored; from now on every entry is accepted. */
  storeAll(): void;
  /** Entries by source, in the order of the requests. */
  stored(): Record<string, unknown[]>;
}

export function createFormatService(): FormatService {
  const service = createTestService({ sources: FORMAT_SOURCES });
  const { engine } = service;
  return Object.assign(service, {
    key: service.createToken(),
    storeAll: () => {
      engine.asked.length = 0;
      engine.answers.ingest = (_request, { body }) => {
        const accepted = readEntries(body!).length;
        return { accepted, duplicates: 0, rejected: 0, errors: [] };
      };
    },
    stored: () => {
      const found: Record<string, unknown[]> = {};
      for (const { request, options } of engine.asked)
        (found[(request as { source: string }).source] ??= []).push(...readEntries(options.body!));
      return found;
    },
  });
}
