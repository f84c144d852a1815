/** Makes the methods of a class usable without their object: a host takes some out of it (`variables.query` in Grafana 10.1). */
export function bindMethods(instance: object, prototype: object): void {
  for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(prototype)))
    if (typeof value === 'function' && name !== 'constructor')
      Object.defineProperty(instance, name, { value: value.bind(instance), writable: true, configurable: true });
}
