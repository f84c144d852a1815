/** Column of every table with the text of the metadata, of those rows whose text is not made from other columns. */
export const METADATA_COLUMN = 'metadata_json';

/** Column of every table with the text of the event. NULL: it has none. */
export const MESSAGE_COLUMN = 'event_message';
