/**
 * Which of the two media types an `Accept` header admits (RFC 9110, 12.5.1): JSON:API first, plain JSON where only that
 * is accepted. And which parameters the media type of JSON:API may have: `profile` with any value, and `ext`, of which
 * none is supported.
 */

export const jsonApi = 'application/vnd.api+json'
export const json = 'application/json'
export const eventStream = 'text/event-stream'
/** JSON without the structure of JSON:API. */
export const flatJson = 'application/json;profile=flat'
export const ndjson = 'application/x-ndjson'
export const csv = 'text/csv'

/**
 * True for a browser that shows the answer to a person: `Accept` names HTML, with at least the quality of the types for
 * programs.
 */
export function prefersHtml(accept: string | undefined): boolean {
  if (accept === undefined || !/html/i.test(accept)) return false
  const html = readExactTypeQuality(accept, 'text/html')
  const others = [jsonApi, json, eventStream].map((type) => readExactTypeQuality(accept, type))
  return html > 0 && html >= Math.max(...others)
}

/**
 * True when `Accept` names the event stream, with at least the quality of the other two. A header that admits
 * everything gets a document.
 */
export function prefersEventStream(accept: string | undefined): boolean {
  if (accept === undefined) return false
  const stream = readPreference(accept, eventStream)
  const others = [jsonApi, json].map((type) => readPreference(accept, type).q)
  return stream.rank === 2 && stream.q > 0 && stream.q >= Math.max(...others)
}

/** The export format that `Accept` names with at least the quality of a document. */
export function prefersExport(accept: string | undefined): typeof ndjson | typeof csv | null {
  if (accept === undefined || !/ndjson|csv/i.test(accept)) return null
  const document = Math.max(...[jsonApi, json].map((type) => readExactTypeQuality(accept, type)))
  const [lines, table] = [readExactTypeQuality(accept, ndjson), readExactTypeQuality(accept, csv)]
  if (Math.max(lines, table) === 0 || document > Math.max(lines, table)) return null
  return table > lines ? csv : ndjson
}

function readExactTypeQuality(accept: string, type: string): number {
  const { rank, q } = readPreference(accept, type)
  return rank === 2 ? q : 0
}

/** True when `Accept` names JSON with this profile, with at least the quality of JSON:API. */
export function prefersFlat(accept: string | undefined): boolean {
  if (accept === undefined || !/flat/i.test(accept)) return false
  const flat = accept
    .toLowerCase()
    .split(',')
    .filter((range) => /^\s*application\/json\s*;(.*;)?\s*profile="?flat"?\s*(;|$)/.test(range))
  return (
    flat.length > 0 &&
    readPreference(flat.join(), json).q > 0 &&
    readPreference(flat.join(), json).q >= readExactTypeQuality(accept, jsonApi)
  )
}

/** Null when neither is accepted. A type with unknown parameters counts as not named. */
export function negotiateMediaType(accept: string | undefined): string | null {
  if (accept === undefined || accept === '*/*' || accept === jsonApi || accept.trim() === '') return jsonApi
  if (accept === json) return json
  const [ours, plain] = [readPreference(accept, jsonApi), readPreference(accept, json)]
  if (ours.q === 0 && plain.q === 0) return null
  // With equal quality, the type that is named wins.
  return ours.q > plain.q || (ours.q === plain.q && ours.rank >= plain.rank) ? jsonApi : json
}

/** The media type of JSON that is no JSON:API document: plain JSON, unless only JSON:API is accepted. */
export function plainTypeFor(accept: string | undefined): string {
  const isAny = accept === undefined || accept.trim() === ''
  return isAny || readPreference(accept, json).q > 0 ? json : jsonApi
}

/** Quality (`q`) of the most specific range that fits, and how specific it is; 0 when none fits. */
function readPreference(accept: string, type: string): { readonly rank: number; readonly q: number } {
  let best = { rank: -1, q: 0 }
  for (const range of accept.toLowerCase().split(',')) {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim())
    if ((name === jsonApi || name === json) && !isPlain(parameters)) continue
    const rank = name === type ? 2 : name === `${type.split('/', 1)[0]}/*` ? 1 : name === '*/*' || name === '*' ? 0 : -1
    if (rank <= best.rank) continue
    const q = Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1)
    best = { rank, q: Number.isNaN(q) ? 1 : Math.min(Math.max(q, 0), 1) }
  }
  return best
}

/** Whether a body of this type is readable as JSON or JSON:API. JSON may name any charset: it is UTF-8 anyway. */
export function isReadableBodyType(contentType: string | undefined): boolean {
  const [name = '', ...parameters] = (contentType ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim())
  return name !== jsonApi || isPlain(parameters)
}

/**
 * JSON:API 1.1, Server Responsibilities: no parameters except `ext` and `profile`, and no extension that is not
 * supported. `charset=utf-8` is accepted too, because some HTTP libraries always add it and it changes nothing.
 */
function isPlain(parameters: readonly string[]): boolean {
  return parameters.every((parameter) => /^(q=|profile=|charset=("utf-?8"|utf-?8)$|ext=(""|)$|$)/.test(parameter))
}
