/** Which methods each address of the API has, for requests that use another method. */

import type { FastifyInstance } from 'fastify'

interface KnownPath {
  readonly pattern: RegExp
  readonly methods: Set<string>
}

/**
 * Call this before the routes are added. The result gives the methods of an address (its path without the query),
 * sorted; none for an unknown address.
 */
export function rememberPaths(app: FastifyInstance): (path: string) => readonly string[] {
  const paths = new Map<string, KnownPath>()
  app.addHook('onRoute', ({ url, method }) => {
    const known = paths.get(url) ?? { pattern: patternOf(url), methods: new Set() }
    for (const each of [method].flat()) known.methods.add(each)
    paths.set(url, known)
  })
  return (path) => {
    const fitting = [...paths.values()].filter(({ pattern }) => pattern.test(path))
    return [...new Set(fitting.flatMap(({ methods }) => [...methods]))].sort()
  }
}

/** A pattern that matches every path of a route. */
export function patternOf(url: string): RegExp {
  return new RegExp(`^${url.replace(/:\w+/g, '[^/]+')}$`)
}

/**
 * `/v2//shipments/?q=a` becomes `/v2/shipments?q=a`: clients join addresses carelessly, and no address here has an
 * empty part.
 */
export function foldSlashes(url: string): string {
  const end = url.indexOf('?')
  const path = end < 0 ? url : url.slice(0, end)
  if (!path.includes('//') && !path.endsWith('/')) return url
  const folded = path.replace(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '')
  return end < 0 ? folded : folded + url.slice(end)
}
