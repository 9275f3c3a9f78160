/**
 * The matrix of accounts. Every operation of the OpenAPI document is asked by one account about another account's
 * things, in every place of its path, its query and its body that can name one. The answer must be the same as about
 * something that never existed: the same status and the same bytes, except for what was sent. A new operation is
 * included without further work.
 */

import type { Call } from './api.ts'
import type { JsonSchema, Operation } from './description.ts'
import type { Furnished, World } from './world.ts'
import { exampleBody, inOrder, placesOf, requestFor } from './world-requests.ts'

export interface MatrixReport {
  /** Pairs of answers that were compared. */
  readonly compared: number
  /** The differences that tell the two answers apart. */
  readonly leaks: readonly string[]
}

/** Asks as one account about the things of the other. `only`: limits it to some operations. */
export async function compareAccounts(
  { api, owner, stranger }: World,
  only: (operation: Operation) => boolean = () => true,
): Promise<MatrixReport> {
  const leaks: string[] = []
  let compared = 0
  for (const operation of inOrder(api.description.operations.filter(only))) {
    if (operation.isOpen) continue
    for (const [place, ask] of placesToAsk(operation, { asker: stranger, other: owner })) {
      const answers = new Map<string, string>()
      for (const theirs of place.theirs) {
        const nobodys = nobodysLike(theirs)
        const answer = await answerTo(api, ask(theirs), theirs)
        const wanted = answers.get(nobodys) ?? (await answerTo(api, ask(nobodys), nobodys))
        answers.set(nobodys, wanted)
        compared += 1
        if (answer !== wanted)
          leaks.push(
            `${operation.id}, ${place.name} = ${theirs}: ${answer.slice(0, 200)}; of nobody's: ${wanted.slice(0, 200)}`,
          )
      }
    }
  }
  return { compared, leaks }
}

interface Place {
  readonly name: string
  /** Values of the other account that are asked about. */
  readonly theirs: readonly string[]
}

type Ask = (value: string) => Call

function* placesToAsk(
  operation: Operation,
  { asker, other }: { readonly asker: Furnished; readonly other: Furnished },
): Generator<readonly [Place, Ask]> {
  const usual = requestFor(operation, asker)
  for (let place = 0; place < placesOf(operation); place += 1) {
    // The ids that belong in this place, and ids of other kinds.
    const right = decodeURIComponent(requestFor(operation, other).url.split('?', 1)[0] ?? '')
    const own = Object.values(other.ids).filter((id) => right.includes(id))
    const { container, request, webhook } = other.ids
    const theirs = [...new Set([...own, container, request, webhook])].filter((id) => id !== undefined)
    const at = { name: `place ${place} of the path`, theirs }
    yield [at, (value) => requestFor(operation, asker, { [place]: value })]
  }
  for (const { name, in: where, schema } of operation.parameters) {
    if (where !== 'query' || !isText(schema) || /^(fields\[|include$|sort$|format$)/.test(name)) continue
    const [path = '', query = ''] = usual.url.split('?', 2)
    const ask: Ask = (value) => {
      const parameters = new URLSearchParams(query)
      parameters.set(name, value)
      return { ...usual, url: `${path}?${parameters}` }
    }
    yield [{ name, theirs: valuesFor(name, other) }, ask]
  }
  const body = exampleBody(operation, asker)
  const ids = Object.values(other.ids)
  for (const path of idsIn(body, asker)) {
    const at = { name: `/${path.join('/')}`, theirs: ids }
    yield [at, (value) => ({ ...usual, body: replaced(body, path, value) })]
  }
}

/** Ids for a parameter about ids; for any other parameter the account's own numbers, references and names. */
function valuesFor(name: string, { ids, words }: Furnished): readonly string[] {
  if (!/id\]?$/.test(name)) return words
  const fitting = Object.entries(ids).filter(([kind]) => name.includes(kind))
  return (fitting.length > 0 ? fitting : Object.entries(ids).slice(0, 3)).map(([, id]) => id)
}

/** A value of the same shape as `theirs`, so that every check of the shape gives the same result. No account has it. */
function nobodysLike(theirs: string): string {
  if (/^[0-9a-f-]{36}$/.test(theirs)) return '018f0000-0000-7000-8000-0000000000aa'
  return theirs === 'MSCU4000005' ? 'MSCU9999996' : shapeOf(theirs)
}

function shapeOf(word: string): string {
  return word.replace(/[A-Z]/g, 'Q').replace(/[a-z]/g, 'q').replace(/\d/g, '9')
}

/** Status and body, without what was sent and without ids and times. */
async function answerTo(api: World['api'], call: Call, sent: string): Promise<string> {
  const { status, text } = await api.call(call)
  const encoded = [sent, encodeURIComponent(sent), new URLSearchParams({ x: sent }).toString().slice(2)]
  const body = encoded.reduce((left, each) => left.replaceAll(each, '…'), text)
  return `${status} ${body.replace(/"(id|created_at|updated_at)":"[^"]*"/g, '"$1":"…"')}`
}

/** Whether a schema takes free text. Closed lists and numbers cannot name another account's things. */
function isText(schema: JsonSchema): boolean {
  return [schema['type']].flat().includes('string') && schema['enum'] === undefined
}

/** The places in a body that hold an id of the asker. */
function idsIn(body: unknown, { ids }: Furnished, at: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof body === 'string') return Object.values(ids).includes(body) ? [at] : []
  if (typeof body !== 'object' || body === null) return []
  return Object.entries(body).flatMap(([name, value]) => idsIn(value, { ids } as Furnished, [...at, name]))
}

function replaced(body: unknown, [name, ...rest]: readonly string[], value: string): unknown {
  if (name === undefined) return value
  const copy = structuredClone(body) as Record<string, unknown>
  copy[name] = replaced(copy[name], rest, value)
  return copy
}
