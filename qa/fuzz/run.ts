/**
 * The fuzz run: sends invented requests to every operation of the OpenAPI document in turn, and checks each answer
 * against the document. The account that asks owns one of everything. Another account owns the same, and nothing of it
 * may be shown.
 */

import { findUnobserved } from '../../test/support/observed.ts'
import { digestOf, type World } from '../../test/support/world.ts'
import { chance as chanceOf } from '../kill/chance.ts'
import { type FuzzRequest, inventRequest } from './requests.ts'

export interface FuzzOptions {
  readonly seed: number
  readonly seconds: number
  readonly requestsMax: number
  /** One operation, or several separated by commas; null for all of them. */
  readonly operation: string | null
}

export interface FuzzReport {
  readonly requests: number
  /** Key: the first digit of the status. */
  readonly statuses: Readonly<Record<string, number>>
  readonly slowestMs: number
  /** Each fault with the request that caused it. */
  readonly faults: readonly { readonly what: string; readonly request: FuzzRequest }[]
  /** Statuses in the document that no named test has observed. */
  readonly unobserved: readonly string[]
  /** A sentence when data of the other account have changed, else null. */
  readonly changed: string | null
}

const faultsMax = 20
/** Generous, because the machine may do other work at the same time. */
const answerMsMax = 10_000

export async function fuzz(world: World, options: FuzzOptions): Promise<FuzzReport> {
  const { api, owner, stranger } = world
  const operations = api.description.operations.filter(
    ({ id }) => options.operation === null || options.operation.split(',').includes(id),
  )
  const before = await digestOf(api, owner)
  const asked = {
    asker: stranger,
    ids: { own: Object.values(stranger.ids), foreign: Object.values(owner.ids) },
  }
  const faults: FuzzReport['faults'][number][] = []
  const statuses: Record<string, number> = {}
  const until = performance.now() + options.seconds * 1_000
  let [requests, slowestMs] = [0, 0]
  while (operations.length > 0 && requests < options.requestsMax && performance.now() < until) {
    const operation = operations[requests % operations.length]
    if (operation === undefined || faults.length >= faultsMax) break
    // The random numbers depend only on the seed and the request's number, so each request is the same whatever came
    // before.
    const request = inventRequest(chanceOf(options.seed * 1_000_003 + requests), operation, asked)
    const startedAt = performance.now()
    const answer = await ask(api, request)
    const tookMs = performance.now() - startedAt
    slowestMs = Math.max(slowestMs, tookMs)
    requests += 1
    const digit = `${String(answer.status)[0]}xx`
    statuses[digit] = (statuses[digit] ?? 0) + 1
    const what = faultOf(world, request, answer) ?? (tookMs > answerMsMax ? `took ${Math.round(tookMs)} ms` : null)
    if (what !== null) faults.push({ what: `${operation.id}: ${what}`, request })
  }
  const changed = (await digestOf(api, owner)) === before ? null : 'rows of the other account have changed'
  const unobserved = findUnobserved(operations)
  return { requests, statuses, slowestMs: Math.round(slowestMs), faults, unobserved, changed }
}

interface Answered {
  readonly status: number
  readonly contentType: string
  readonly text: string
}

async function ask({ app }: World['api'], request: FuzzRequest): Promise<Answered> {
  const response = await app.inject({
    method: request.method as 'GET',
    url: request.url,
    headers: request.headers,
    ...(request.payload === undefined ? {} : { payload: request.payload }),
  })
  const contentType = String(response.headers['content-type'] ?? '')
  return { status: response.statusCode, contentType, text: response.body }
}

function faultOf({ api, owner }: World, request: FuzzRequest, answer: Answered): string | null {
  const { status, text } = answer
  if (status >= 500) return `${status}: ${text.slice(0, 300)}${crashOf(api)}`
  const told = status < 400 ? undefined : tells.find((pattern) => pattern.test(text))
  if (told !== undefined) return `tells of the inside (${told}): ${text.slice(0, 500)}`
  if (request.method === 'HEAD') return text === '' ? null : 'a HEAD with a body'
  // Every existing address answers OPTIONS with its methods. The document does not list this as an operation.
  if (request.method === 'OPTIONS' && status === 204) return null
  const operation = api.description.find(request.method, request.url)
  if (operation === null) {
    // Unknown paths and methods get 404 and 405, or an error that any address or body can get before that.
    return [400, 404, 405, 406, 413, 415].includes(status) ? null : `${status} where nothing is documented`
  }
  // An address that cannot be read is refused before its operation is known.
  if (/broken percent encoding|There is nothing at this address/.test(text)) return null
  const fault = api.description.faultOf(operation, request.url, answer)
  return fault ?? (status < 300 ? leakOf(text, owner, request) : null)
}

/** Texts that no error may contain. */
const tells = [
  /\bat [\w.<> ]+ \(.{1,200}:\d+:\d+\)|\.[jt]s:\d+/,
  /node_modules|\/src\/|file:\/\//,
  /\b(select|insert into|update|delete from)\b.{1,200}\b(from|values|set|where)\b.{0,80}\$\d/i,
  /syntax error at or near|violates .* constraint|invalid input syntax|SQLSTATE|ECONN/,
  /TypeError|ReferenceError|RangeError/,
]

/**
 * `links` repeat the request, so they are not searched. An id that was sent in the body may come back, as in the error
 * of a refused item.
 */
function leakOf(text: string, owner: World['owner'], { url, payload = '' }: FuzzRequest): string | null {
  if (!text.startsWith('{')) return null
  // Whoever has the token of a share link may see what it shows.
  if (url.includes(owner.ids['shareToken'] ?? '/')) return null
  // An export has one document in each line.
  const documents = text.split(/\n(?=\{)/).map((line) => JSON.parse(line) as Record<string, unknown>)
  const written = JSON.stringify(documents.map((document) => ({ ...document, links: undefined })))
  // Whoever makes a column map chooses its name, which may be an id of somebody.
  const isNamed = url.startsWith('/v2/column_maps')
  const id = Object.entries(owner.ids).find(
    ([kind, each]) => written.includes(each) && !payload.includes(each) && (!isNamed || kind === 'columnMap'),
  )
  if (id !== undefined) return `shows the ${id[0]} of another account`
  if (written.includes(owner.context.account.id)) return 'shows another account'
  const word = owner.words.find((each) => written.includes(each))
  return word === undefined ? null : `shows ${word} of another account`
}

function crashOf(api: World['api']): string {
  const crash = api.logged().findLast(({ event }) => event === 'request.crashed')
  return crash === undefined ? '' : `\n    ${JSON.stringify(crash['error']).slice(0, 800)}`
}

/** The request as a command to repeat it by hand. The reader sets `$API` and `$KEY`. */
export function writeCurl({ method, url, headers, payload }: FuzzRequest): string {
  const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`
  const all = Object.entries(headers).map(([name, value]) =>
    name === 'authorization' && value.length > 40 && value.length < 200
      ? '-H "Authorization: Token $KEY"'
      : `-H ${quote(`${name}: ${value}`)}`,
  )
  const data = payload === undefined ? [] : [`--data-raw ${quote(payload.slice(0, 2_000))}`]
  return [`curl -sg -X ${method} "$API"${quote(url)}`, ...all, ...data].join(' ')
}
