/** Binds the methods of an instance, because Grafana calls some without their object (`variables.query` in 10.1). */
export function bindMethods(instance: object, prototype: object): void {
  for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(prototype)))
    if (typeof value === 'function' && name !== 'constructor')
      Object.defineProperty(instance, name, { value: value.bind(instance), writable: true, configurable: true });
}
