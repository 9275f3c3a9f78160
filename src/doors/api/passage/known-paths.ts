/** Which methods each address of the API knows, for those that ask with another one. */

import type { FastifyInstance } from 'fastify'

interface KnownPath {
  readonly pattern: RegExp
  readonly methods: Set<string>
}

/** Begins before the routes are added. The methods of an address (its path alone) in order; none for one that is not there. */
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

/** Matches the paths of a route. */
export function patternOf(url: string): RegExp {
  return new RegExp(`^${url.replace(/:\w+/g, '[^/]+')}$`)
}

/** `/v2//shipments/?q=a` is `/v2/shipments?q=a`: clients put addresses together, and nothing here has an empty part. */
export function foldSlashes(url: string): string {
  const end = url.indexOf('?')
  const path = end < 0 ? url : url.slice(0, end)
  if (!path.includes('//') && !path.endsWith('/')) return url
  const folded = path.replace(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '')
  return end < 0 ? folded : folded + url.slice(end)
}
