/** Requests of the fuzz run: a correct request for an operation, which is then changed in no, one or several places. */

import type { JsonSchema, Operation } from '../../test/support/description.ts'
import type { Furnished } from '../../test/support/world.ts'
import { exampleBody, placesOf, requestFor } from '../../test/support/world-requests.ts'
import { someDefinition, withFieldValue } from './validations.ts'
import { anId, type Chance, fittingValue, hostileText, hostileValue, type Ids, pick } from './values.ts'

export interface FuzzRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Undefined when the request has no body. */
  readonly payload: string | undefined
}

interface Draft {
  method: string
  path: string
  query: (readonly [name: string, value: string])[]
  headers: Record<string, string>
  body: unknown
  /** Text that replaces the body, perhaps not valid JSON. */
  payload: string | undefined
}

export function inventRequest(
  chance: Chance,
  operation: Operation,
  { asker, ids }: { readonly asker: Furnished; readonly ids: Ids },
): FuzzRequest {
  const draft = fittingDraft(chance, operation, asker, ids)
  const changes = pick(chance, [0, 0, 1, 1, 1, 2, 3])
  for (let count = 0; count < changes; count += 1) change(chance, draft, operation, ids)
  const query = draft.query.map(([name, value]) => `${bare(name, chance)}=${encode(value)}`)
  const payload = draft.payload ?? (draft.body === undefined ? undefined : JSON.stringify(draft.body))
  return {
    method: draft.method,
    url: draft.path + (query.length === 0 ? '' : `?${query.join('&')}`),
    headers: payload === undefined ? draft.headers : { 'content-type': jsonApi, ...draft.headers },
    payload,
  }
}

const jsonApi = 'application/vnd.api+json'

/** A lone surrogate cannot be encoded. It is sent in the bytes that a careless client would send. */
const encode = (text: string): string => (text.isWellFormed() ? encodeURIComponent(text) : '%ED%A0%80')
const bare = (name: string, chance: Chance): string => (chance() < 0.5 ? name.replace(/[&#=%+ ?]/g, '') : encode(name))

function fittingDraft(chance: Chance, operation: Operation, asker: Furnished, ids: Ids): Draft {
  const asked: Record<number, string> = {}
  for (let place = 0; place < placesOf(operation); place += 1) if (chance() < 0.25) asked[place] = anId(chance, ids)
  const usual = requestFor(operation, asker, asked)
  const [path = '', given = ''] = usual.url.split('?', 2)
  const optional = operation.parameters.filter(
    ({ in: where, required }) => where === 'query' && required !== true && chance() < 0.12,
  )
  const query = [
    ...new URLSearchParams(given),
    ...optional.map(({ name, schema }) => [name, textOf(chance, name, schema, ids)] as const),
  ]
  const body = fittingBody(chance, operation, asker, ids)
  const headers = { authorization: `Token ${asker.key}` }
  return { method: operation.method, path, query, headers, body, payload: undefined }
}

function fittingBody(chance: Chance, operation: Operation, asker: Furnished, ids: Ids): unknown {
  const { schema } = operation.body ?? {}
  if (schema === undefined) return undefined
  const fieldBody = chance() < 0.5 ? customFieldBody(chance, operation, asker) : undefined
  if (fieldBody !== undefined) return fieldBody
  return chance() < 0.6 ? exampleBody(operation, asker) : fittingValue(chance, schema, { name: '', ids })
}

/** Undefined when the operation is not about custom fields. */
function customFieldBody(chance: Chance, operation: Operation, asker: Furnished): unknown {
  if (operation.id === 'createCustomFieldDefinition')
    return { data: { type: 'custom_field_definition', attributes: someDefinition(chance) } }
  if (operation.id === 'updateCustomFieldDefinition') {
    const { validation, default_value } = someDefinition(chance)
    return { data: { type: 'custom_field_definition', attributes: { validation, default_value } } }
  }
  return withFieldValue(chance, exampleBody(operation, asker))
}

function textOf(chance: Chance, name: string, schema: JsonSchema, ids: Ids): string {
  // Long polling is kept short or invalid, so that the run does not wait.
  if (name === 'wait') return pick(chance, ['0', '-1', '61', '1.5'])
  return String(fittingValue(chance, schema, { name, ids }))
}

const mediaTypes = [
  'application/json',
  'application/json; charset=utf-8',
  `${jsonApi}; profile="https://example.com/p"`,
  `${jsonApi}; ext="https://example.com/e"`,
  `${jsonApi};charset=utf-8`,
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  '',
  'nonsense',
  'application/json/json',
]
const accepts = [
  'application/json',
  'application/json;profile=flat',
  `${jsonApi}; ext="x"`,
  `${jsonApi};q=0`,
  '*/*;q=0.1',
  'text/html',
  'image/*',
  ';;;,,,',
  'application/json;q=nonsense',
]
const oddHeaders: readonly (readonly [string, readonly string[]])[] = [
  ['if-none-match', ['*', '"a"', 'W/"a"', 'nonsense', '"'.repeat(500)]],
  ['if-match', ['*', '"AAAAAAAAAAAAAAAA.AAAAAAAAAAAAAAAA"', 'nonsense']],
  ['idempotency-key', ['k', 'x'.repeat(255), 'x'.repeat(256), 'ü', ' ']],
  ['x-request-id', ['r', 'x'.repeat(2_000), '<b>']],
  ['authorization', ['', 'Token', 'Token x', 'Bearer x', 'Basic eDp5', `Token ${'x'.repeat(5_000)}`]],
  ['x-account-id', ['x', '018f0000-0000-7000-8000-0000000000aa']],
  ['last-event-id', ['-1', '1e9', '9'.repeat(30)]],
  ['range', ['bytes=0-1']],
  ['host', ['[::1', 'a b', 'example.com']],
  ['x-forwarded-for', ['1.2.3.4', "'"]],
]

/** Makes one part of the request hostile. */
function change(chance: Chance, draft: Draft, operation: Operation, ids: Ids): void {
  pick<() => void>(chance, [
    () => {
      const parameters = operation.parameters.filter((each) => each.in === 'query')
      const name = chance() < 0.85 && parameters.length > 0 ? pick(chance, parameters).name : hostileText(chance)
      if (name === 'wait') return
      const others = draft.query.filter(([each]) => each !== name)
      draft.query = [...others, [name, hostileText(chance)]]
    },
    () => {
      const [again] = draft.query
      if (again !== undefined) draft.query.push(again)
    },
    () => {
      const parts = draft.path.split('/')
      const place = 2 + Math.floor(chance() * Math.max(1, parts.length - 2))
      if (operation.path.split('/')[place]?.startsWith('{')) parts[place] = encode(hostileText(chance))
      draft.path = parts.join('/')
    },
    () => {
      draft.body = changedAt(chance, draft.body)
    },
    () => {
      draft.body = changedAt(chance, draft.body)
    },
    () => {
      draft.payload = pick(chance, [
        '',
        '{',
        '[]',
        '"x"',
        '{"data":',
        'x=1',
        '\ufeff{}',
        '{"data":{}}',
        '{"a":1,"a":2}',
      ])
    },
    () => {
      draft.headers['content-type'] = pick(chance, mediaTypes)
    },
    () => {
      draft.headers['accept'] = pick(chance, accepts)
    },
    () => {
      const [name, values] = pick(chance, oddHeaders)
      draft.headers[name] = pick(chance, values)
    },
    () => {
      draft.method = pick(chance, ['GET', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS', 'HEAD'])
    },
    () => {
      draft.query.push(['filter[created_at][start]', pick(chance, ids.own)])
    },
  ])()
}

/** A copy in which one value, at any depth, was replaced, added or removed. */
function changedAt(chance: Chance, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || chance() < 0.15) return hostileValue(chance)
  if (Array.isArray(value)) {
    if (value.length === 0) return [hostileValue(chance)]
    const place = Math.floor(chance() * value.length)
    return value.map((each, index) => (index === place ? changedAt(chance, each) : each))
  }
  const entries = Object.entries(value)
  const at = chance()
  if (at < 0.1 || entries.length === 0) return { ...value, [hostileText(chance)]: hostileValue(chance) }
  const [name, inner] = pick(chance, entries)
  if (at < 0.2) return Object.fromEntries(entries.filter(([each]) => each !== name))
  return { ...value, [name]: changedAt(chance, inner) }
}
