/** Values of a statement whose text is composed of pieces. */

export interface Binder {
  readonly values: unknown[]
  /** Binds a value and returns its place, such as `$2`. */
  readonly bind: (value: unknown) => string
}

export function bindValues(first: readonly unknown[]): Binder {
  const values = [...first]
  return { values, bind: (value) => `$${values.push(value)}` }
}
