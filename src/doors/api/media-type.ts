/** Which of the two media types an `Accept` header admits (RFC 9110, 12.5.1): ours first, JSON where only that will do. */

export const jsonApi = 'application/vnd.api+json'
export const json = 'application/json'
export const eventStream = 'text/event-stream'

/** Named, and liked no less than the two: what admits everything gets a document. */
export function prefersEventStream(accept: string | undefined): boolean {
  if (accept === undefined) return false
  const stream = preference(accept, eventStream)
  const others = [jsonApi, json].map((type) => preference(accept, type).q)
  return stream.rank === 2 && stream.q > 0 && stream.q >= Math.max(...others)
}

/** Null when it admits neither. Parameters other than `q` are not looked at: clients send charsets and profiles. */
export function negotiate(accept: string | undefined): string | null {
  if (accept === undefined || accept === '*/*' || accept === jsonApi || accept.trim() === '') return jsonApi
  if (accept === json) return json
  const [ours, plain] = [preference(accept, jsonApi), preference(accept, json)]
  if (ours.q === 0 && plain.q === 0) return null
  // Of two that are liked as much, the one that was named.
  return ours.q > plain.q || (ours.q === plain.q && ours.rank >= plain.rank) ? jsonApi : json
}

/** The `q` of the most specific range that fits, and how specific it is; 0 when none does. */
function preference(accept: string, type: string): { readonly rank: number; readonly q: number } {
  let best = { rank: -1, q: 0 }
  for (const range of accept.toLowerCase().split(',')) {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim())
    const rank =
      name === type ? 2 : name === `${type.split('/', 1)[0]}/*` ? 1 : name === '*/*' || name === '*' ? 0 : -1
    if (rank <= best.rank) continue
    const q = Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1)
    best = { rank, q: Number.isNaN(q) ? 1 : Math.min(Math.max(q, 0), 1) }
  }
  return best
}
