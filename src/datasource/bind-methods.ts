/** Binds the methods of an instance, because Grafana calls some without their object (`variables.query` in 10.1). */
export function bindMethods(instance: object, prototype: object): void {
  const members: Record<string, { readonly value?: unknown }> = Object.getOwnPropertyDescriptors(prototype);
  for (const [name, { value }] of Object.entries(members)) {
    if (typeof value !== 'function' || name === 'constructor') continue;
    const bound = (value as () => unknown).bind(instance);
    Object.defineProperty(instance, name, { value: bound, writable: true, configurable: true });
  }
}
