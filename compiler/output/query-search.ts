/** What a query searches texts for, by which a store can leave out rows that cannot be in its result. */
import type { CatalogPart } from '../catalog/catalog';

/** A condition that each row of a scan must meet; the result does not depend on other rows. */
export type TextNeed = NeedOf<TextTest>;

export type NeedOf<Test> = { readonly kind: 'all' | 'any'; readonly of: readonly NeedOf<Test>[] } | Test;

export interface TextTest {
  readonly kind: 'text';
  /** Physical column of type STRING, whose value holds the text. */
  readonly column: string;
  readonly text: string;
  /** The value is the text, and nothing else. */
  readonly isWhole: boolean;
  /** Upper and lower case are the same, by any rules of Unicode. */
  readonly anyCase: boolean;
}

export interface SearchedScan {
  readonly parts: readonly CatalogPart[];
  readonly need: TextNeed;
  /** The tenant to which the scan is confined; null: all events. */
  readonly tenant: SearchedTenant | null;
}

export interface SearchedTenant {
  /** Physical column with the tenant of an event; null: it is not in a column. */
  readonly column: string | null;
  readonly value: string;
}
