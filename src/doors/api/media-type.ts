/** Which of the two media types an `Accept` header admits (RFC 9110, 12.5.1): ours first, JSON where only that will do. */

export const jsonApi = 'application/vnd.api+json'
export const json = 'application/json'

/** Null when it admits neither. Parameters other than `q` are not looked at: clients send charsets and profiles. */
export function negotiate(accept: string | undefined): string | null {
  if (accept === undefined || accept.trim() === '') return jsonApi
  const [ours, plain] = [quality(accept, jsonApi), quality(accept, json)]
  if (ours === 0 && plain === 0) return null
  return ours >= plain ? jsonApi : json
}

/** The `q` of the most specific range that fits; 0 when none does. */
function quality(accept: string, type: string): number {
  let best = { rank: -1, q: 0 }
  for (const range of accept.toLowerCase().split(',')) {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim())
    const rank = name === type ? 2 : name === 'application/*' ? 1 : name === '*/*' || name === '*' ? 0 : -1
    if (rank <= best.rank) continue
    const q = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
    const value = q === undefined ? 1 : Number(q)
    best = { rank, q: Number.isNaN(value) ? 1 : Math.min(Math.max(value, 0), 1) }
  }
  return best.q
}
