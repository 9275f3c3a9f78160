/**
 * The API over a service of its own, for tests through the router. `call` holds every answer against our own OpenAPI
 * document: an undocumented status, media type or field fails the test that met it.
 */

import assert from 'node:assert/strict'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { FastifyInstance } from 'fastify'
import { openApi } from '../../src/doors/api/app.ts'
import { findKind } from '../../src/doors/api/resources.ts'
import { createApiKey } from '../../src/service/access/create-api-key.ts'
import type { Context, Scope } from '../../src/service/context.ts'
import { openTestService, type TestService } from './service.ts'

export interface TestApi extends TestService {
  readonly app: FastifyInstance
  readonly context: Context
  /** Of the account that `context` is about. */
  readonly key: string
  readonly newKey: (context: Context, scopes: readonly Scope[]) => Promise<string>
  readonly call: (request: Call) => Promise<Answer>
}

export interface Call {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE' | 'HEAD'
  readonly url: string
  readonly body?: unknown
  /** Null for none; the account's own when left out. */
  readonly key?: string | null
  readonly headers?: Readonly<Record<string, string>>
}

export interface WireResource {
  readonly id: string
  readonly type: string
  readonly attributes: Readonly<Record<string, unknown>>
  readonly relationships?: Readonly<Record<string, { readonly data?: unknown; readonly links?: unknown }>>
}

export interface WireError {
  readonly status: string
  readonly code: string
  readonly title: string
  readonly detail: string
  readonly source?: { readonly pointer?: string; readonly parameter?: string }
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
  /** Parsed; an empty object when the answer is not JSON. */
  readonly body: {
    readonly data?: unknown
    readonly included?: readonly WireResource[]
    readonly errors?: readonly WireError[]
    readonly links?: Readonly<Record<string, string>>
    readonly meta?: Readonly<Record<string, unknown>>
    readonly [name: string]: unknown
  }
  readonly one: () => WireResource
  readonly many: () => readonly WireResource[]
  readonly error: () => WireError
}

export async function openTestApi(options: Parameters<typeof openTestService>[0] = {}): Promise<TestApi> {
  const test = await openTestService(options)
  const app = await openApi(test.service)
  await app.ready()
  const context = await test.newAccount()
  const newKey = async ({ account }: Context, scopes: readonly Scope[]): Promise<string> =>
    (await createApiKey(test.service, { accountId: account.id, name: 'Test', scopes })).key
  const key = await newKey(context, ['read', 'write'])
  const check = answerChecker(app)
  return {
    ...test,
    app,
    context,
    key,
    newKey,
    call: async (request) => {
      const method = request.method ?? 'GET'
      const auth = request.key === null ? {} : { authorization: `Token ${request.key ?? key}` }
      const hasBody = request.body !== undefined
      const sent =
        typeof request.body === 'string' || Buffer.isBuffer(request.body)
          ? request.body
          : JSON.stringify(request.body)
      const response = await app.inject({
        method,
        url: request.url,
        headers: {
          ...auth,
          ...(hasBody ? { 'content-type': 'application/vnd.api+json' } : {}),
          ...request.headers,
        },
        ...(hasBody ? { payload: sent as string } : {}),
      })
      const isJson = String(response.headers['content-type']).includes('json')
      const body = isJson && response.body !== '' ? (JSON.parse(response.body) as Answer['body']) : {}
      const answer: Answer = {
        status: response.statusCode,
        headers: response.headers,
        text: response.body,
        body,
        one: () => {
          assert.equal(response.statusCode < 300, true, response.body)
          return body.data as WireResource
        },
        many: () => {
          assert.equal(response.statusCode < 300, true, response.body)
          return body.data as readonly WireResource[]
        },
        error: () => {
          assert.equal(body.errors?.length, 1, response.body)
          return body.errors?.[0] as WireError
        },
      }
      const crashes = () => test.logged().filter(({ event }) => event === 'request.crashed')
      assert.ok(
        answer.status !== 500,
        `${method} ${request.url} crashed: ${JSON.stringify(crashes().at(-1))}`,
      )
      check({ method, url: request.url }, answer)
      return answer
    },
    close: async () => {
      await app.close()
      await test.close()
    },
  }
}

interface OpenApi {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          { readonly responses: Readonly<Record<string, { content?: Record<string, { schema: object }> }>> }
        >
      >
    >
  >
}

function answerChecker(
  app: FastifyInstance,
): (call: { method: string; url: string }, answer: Answer) => void {
  const document = app.swagger() as unknown as OpenApi
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  formats.default(ajv)
  ajv.addSchema(document, 'openapi')
  const paths = Object.keys(document.paths).map((path) => ({
    path,
    pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
  }))
  return ({ method, url }, answer) => {
    const asked = url.split('?', 1)[0] ?? ''
    const found = paths.find(({ path }) => path === asked) ?? paths.find(({ pattern }) => pattern.test(asked))
    const operation = found === undefined ? undefined : document.paths[found.path]?.[method.toLowerCase()]
    if (found === undefined || operation === undefined) {
      assert.ok(
        [200, 404, 405].includes(answer.status),
        `${method} ${url} is documented nowhere and answered ${answer.status}`,
      )
      return
    }
    const what = `${method} ${found.path} → ${answer.status}`
    const response = operation.responses[String(answer.status)]
    assert.ok(response, `${what} is not documented: ${answer.text.slice(0, 300)}`)
    if (answer.status === 204 || answer.status === 304) {
      assert.equal(answer.text, '', `${what} has no body`)
      assert.equal(response.content, undefined, `${what} is documented with a body`)
      return
    }
    const media = String(answer.headers['content-type']).split(';', 1)[0] ?? ''
    assert.ok(response.content?.[media], `${what} as ${media} is not documented`)
    if (!media.includes('json')) return
    const pointer = [
      'paths',
      found.path,
      method.toLowerCase(),
      'responses',
      String(answer.status),
      'content',
      media,
      'schema',
    ]
    const ref = `openapi#/${pointer.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`
    const validate = ajv.getSchema(ref)
    assert.ok(validate, `${what} has no schema`)
    assert.ok(
      validate(answer.body),
      `${what}: ${ajv.errorsText(validate.errors?.slice(0, 5))}\n${answer.text.slice(0, 1_000)}`,
    )
    if (!/[?&]fields(\[|%5B)/i.test(url)) checkComplete(answer, what)
  }
}

/** Without sparse fieldsets, every attribute that is declared is there, null where unknown. */
function checkComplete({ body }: Answer, what: string): void {
  const resources = [body.data ?? [], body.included ?? []].flat(2) as unknown as readonly WireResource[]
  for (const { type, attributes } of resources) {
    const kind = findKind(type)
    // A document of its own, closed and with all members required by the schema that it was held against.
    if (kind === null) continue
    const declared = Object.keys(kind.attributes)
    assert.deepEqual(
      Object.keys(attributes).toSorted(),
      declared.toSorted(),
      `${what}: attributes of ${type}`,
    )
  }
}
