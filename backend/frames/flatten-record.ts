/**
 * A nested record as labels with dotted keys: `[{"request":{"path":"/a"}}]` gives `request.path` = `/a`. Records are wrapped in arrays of
 * one, which leave no trace; longer arrays keep their positions.
 */
const MAX_LABELS = 300;

/** @param name of the column, the key of a value that is no record */
export function flattenRecord(json: string, name: string, labels: Record<string, string>): void {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    labels[name] = json;
    return;
  }
  let room = MAX_LABELS;
  visit(value, '');

  function visit(one: unknown, path: string): void {
    if (one === null || one === undefined || one === '' || room === 0) return;
    if (Array.isArray(one)) {
      if (one.length === 1) return visit(one[0], path);
      return one.forEach((each, index) => visit(each, path === '' ? String(index) : `${path}.${index}`));
    }
    if (typeof one === 'object') {
      for (const [key, inner] of Object.entries(one)) visit(inner, path === '' ? key : `${path}.${key}`);
      return;
    }
    room--;
    labels[path === '' ? name : path] = String(one);
  }
}
