/** Writes the query of a request: `{ filter: { pod_eta_at: { start } } }` is `filter[pod_eta_at][start]=…`. */

export type Value = string | number | boolean | Date | null | undefined | readonly string[]
export type Query = { readonly [name: string]: Value | Query }

/** With its question mark; empty when there is nothing to say. Lists are written with commas, and empty ones left out. */
export function writeQuery(query: Query): string {
  const parameters = [...parametersOf(query, (name) => name)]
  return parameters.length === 0 ? '' : `?${new URLSearchParams(parameters)}`
}

function* parametersOf(query: Query, nameOf: (name: string) => string): Generator<[string, string]> {
  for (const [key, value] of Object.entries(query)) {
    const name = nameOf(key)
    if (value === null || value === undefined) continue
    // A time that Landfall gave has no fraction. Without one it means its whole second.
    if (value instanceof Date) yield [name, value.toISOString().replace('.000Z', 'Z')]
    else if (isList(value)) {
      if (value.length > 0) yield [name, value.join(',')]
    } else if (typeof value === 'object') yield* parametersOf(value, (inner) => `${name}[${inner}]`)
    else yield [name, String(value)]
  }
}

function isList(value: Value | Query): value is readonly string[] {
  return Array.isArray(value)
}

/** The link may name another address of the same Landfall than the one that is used here. */
export function pathOf(link: string): string {
  const { pathname, search } = new URL(link, 'http://landfall')
  return pathname + search
}
