/** A shared address may have a value that is not among the choices, or no longer: it is sent, so it is shown. */
export function withValue(choices: readonly string[], value: string): readonly string[] {
  return value === '' || choices.includes(value) ? choices : [...choices, value];
}
