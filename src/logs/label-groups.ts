/** The groups of labels in the details of a log line. */

/** @returns the record of the metadata that a label belongs to, as a heading: `request.method` is of `Request` */
export function labelGroup(label: string): string {
  const dot = label.indexOf('.');
  if (dot <= 0) return 'Event';
  return `${label[0]!.toUpperCase()}${label.slice(1, dot).replace(/_/g, ' ')}`;
}
