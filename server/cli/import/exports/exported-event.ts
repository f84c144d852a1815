import type { JsonNode } from '../../../common/json/json-tree';

/** An event of an export. Times are as the store wrote them; the server parses them. */
export interface ExportedEvent {
  readonly id: string | null;
  readonly time: JsonNode | undefined;
  readonly message: string;
  /** By dotted name. */
  readonly fields: ReadonlyMap<string, JsonNode>;
}
