/** Groups labels in the details of a log line. */

/** @returns the metadata record of a label as a heading: `Request` for `request.method` */
export function labelGroup(label: string): string {
  const dot = label.indexOf('.');
  if (dot <= 0) return 'Event';
  return `${label[0]!.toUpperCase()}${label.slice(1, dot).replace(/_/g, ' ')}`;
}
