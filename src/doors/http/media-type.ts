/**
 * Which of the two media types an `Accept` header admits (RFC 9110, 12.5.1): ours first, JSON where only that will do. And
 * which parameters JSON:API lets its media type have: `profile`, which may name anything, and `ext`, of which we have none.
 */

export const jsonApi = 'application/vnd.api+json'
export const json = 'application/json'
export const eventStream = 'text/event-stream'
/** JSON without the forms of JSON:API. */
export const flatJson = 'application/json;profile=flat'
export const ndjson = 'application/x-ndjson'
export const csv = 'text/csv'

/** A browser that shows it to a person: HTML is named, and liked no less than what programs read. */
export function prefersHtml(accept: string | undefined): boolean {
  if (accept === undefined || !/html/i.test(accept)) return false
  const html = namedQ(accept, 'text/html')
  const others = [jsonApi, json, eventStream].map((type) => namedQ(accept, type))
  return html > 0 && html >= Math.max(...others)
}

/** Named, and liked no less than the two: what admits everything gets a document. */
export function prefersEventStream(accept: string | undefined): boolean {
  if (accept === undefined) return false
  const stream = preference(accept, eventStream)
  const others = [jsonApi, json].map((type) => preference(accept, type).q)
  return stream.rank === 2 && stream.q > 0 && stream.q >= Math.max(...others)
}

/** Of the two forms in which lists are exported, the one that is named, and liked no less than a document. */
export function prefersExport(accept: string | undefined): typeof ndjson | typeof csv | null {
  if (accept === undefined || !/ndjson|csv/i.test(accept)) return null
  const document = Math.max(...[jsonApi, json].map((type) => namedQ(accept, type)))
  const [lines, table] = [namedQ(accept, ndjson), namedQ(accept, csv)]
  if (Math.max(lines, table) === 0 || document > Math.max(lines, table)) return null
  return table > lines ? csv : ndjson
}

function namedQ(accept: string, type: string): number {
  const { rank, q } = preference(accept, type)
  return rank === 2 ? q : 0
}

/** JSON of this profile, named, and liked no less than JSON:API. */
export function prefersFlat(accept: string | undefined): boolean {
  if (accept === undefined || !/flat/i.test(accept)) return false
  const flat = accept
    .toLowerCase()
    .split(',')
    .filter((range) => /^\s*application\/json\s*;(.*;)?\s*profile="?flat"?\s*(;|$)/.test(range))
  return (
    flat.length > 0 &&
    preference(flat.join(), json).q > 0 &&
    preference(flat.join(), json).q >= namedQ(accept, jsonApi)
  )
}

/** Null when it admits neither. JSON:API that is asked for with parameters of other kinds is as if it had not been named. */
export function negotiate(accept: string | undefined): string | null {
  if (accept === undefined || accept === '*/*' || accept === jsonApi || accept.trim() === '') return jsonApi
  if (accept === json) return json
  const [ours, plain] = [preference(accept, jsonApi), preference(accept, json)]
  if (ours.q === 0 && plain.q === 0) return null
  // Of two that are liked as much, the one that was named.
  return ours.q > plain.q || (ours.q === plain.q && ours.rank >= plain.rank) ? jsonApi : json
}

/** Of JSON that is no JSON:API document: its own name, unless nothing but JSON:API is admitted. */
export function plainTypeFor(accept: string | undefined): string {
  const isAny = accept === undefined || accept.trim() === ''
  return isAny || preference(accept, json).q > 0 ? json : jsonApi
}

/** The `q` of the most specific range that fits, and how specific it is; 0 when none does. */
function preference(accept: string, type: string): { readonly rank: number; readonly q: number } {
  let best = { rank: -1, q: 0 }
  for (const range of accept.toLowerCase().split(',')) {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim())
    if (name === jsonApi && !isPlain(parameters)) continue
    const rank =
      name === type ? 2 : name === `${type.split('/', 1)[0]}/*` ? 1 : name === '*/*' || name === '*' ? 0 : -1
    if (rank <= best.rank) continue
    const q = Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1)
    best = { rank, q: Number.isNaN(q) ? 1 : Math.min(Math.max(q, 0), 1) }
  }
  return best
}

/** Whether a body of this type can be read as JSON:API has it. JSON may come with any charset that is named: it is UTF-8. */
export function isReadable(contentType: string | undefined): boolean {
  const [name = '', ...parameters] = (contentType ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim())
  return name !== jsonApi || isPlain(parameters)
}

/**
 * JSON:API 1.1, Server Responsibilities: no parameter but `ext` and `profile`, and no extension that is not supported.
 * Besides `charset=utf-8`, which some HTTP libraries add to whatever they send: it changes nothing.
 */
function isPlain(parameters: readonly string[]): boolean {
  return parameters.every((parameter) =>
    /^(q=|profile=|charset=("utf-?8"|utf-?8)$|ext=(""|)$|$)/.test(parameter),
  )
}
