/**
 * The API over a service of its own, for tests through the router. `call` checks every answer against our own OpenAPI
 * document: an undocumented status, media type or field fails the test that got it.
 */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import type { Context, Scope } from '../../src/modules/access/context.ts'
import { createApiKey } from '../../src/modules/api-keys/create-api-key.ts'
import { createApiApp } from '../../src/server/app.ts'
import { openDescribedApi } from '../../tools/described-api.ts'
import { type Description, readDescription } from './description.ts'
import { noteObserved } from './observed.ts'
import { openTestService, type TestService } from './service.ts'

export interface TestApi extends TestService {
  readonly app: FastifyInstance
  readonly context: Context
  /** The API key of the account that `context` is about. */
  readonly key: string
  readonly newKey: (context: Context, scopes: readonly Scope[]) => Promise<string>
  readonly call: (request: Call) => Promise<Answer>
  readonly description: Description
}

export interface Call {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE' | 'HEAD'
  readonly url: string
  readonly body?: unknown
  /** Null for no key. The account's own key when missing. */
  readonly key?: string | null
  readonly headers?: Readonly<Record<string, string>>
  /** The test expects a 500. */
  readonly isToCrash?: boolean
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
  /** The parsed body; an empty object when the answer is not JSON. */
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

/** `plant`: adds a route or a hook with a fault, for tests that show that they would find it. */
export async function openTestApi(
  options: Parameters<typeof openTestService>[0] & {
    readonly plant?: (app: FastifyInstance, test: TestService) => void
    readonly timeouts?: Parameters<typeof createApiApp>[1]
  } = {},
): Promise<TestApi> {
  const test = await openTestService(options)
  const open = options.plant === undefined ? createApiApp : openDescribedApi
  const app = await open(test.service, options.timeouts)
  options.plant?.(app, test)
  await app.ready()
  const context = await test.newAccount()
  const newKey = async ({ account }: Context, scopes: readonly Scope[]): Promise<string> =>
    (await createApiKey(test.service, { accountId: account.id, name: 'Test', scopes })).key
  const key = await newKey(context, ['read', 'write'])
  const description = options.plant === undefined ? describeOnce() : readDescription(app.swagger())
  return {
    ...test,
    app,
    context,
    key,
    newKey,
    description,
    call: async (request) => {
      const method = request.method ?? 'GET'
      const auth = request.key === null ? {} : { authorization: `Token ${request.key ?? key}` }
      const hasBody = request.body !== undefined
      const sent =
        typeof request.body === 'string' || Buffer.isBuffer(request.body) ? request.body : JSON.stringify(request.body)
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
      const isJson = /[/+]json\b/.test(String(response.headers['content-type']))
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
      if (answer.status === 500 && request.isToCrash !== true) {
        const crash = test.logged().findLast(({ event }) => event === 'request.crashed')
        assert.fail(`${method} ${request.url} crashed: ${JSON.stringify(crash)}`)
      }
      check(description, { method, url: request.url }, answer)
      assert.doesNotMatch(
        isJson ? response.body : '',
        /"\d{4}-\d\d-\d\dT[\d:]{8}\.000Z"/,
        `${method} ${request.url}: a whole time has a fraction`,
      )
      return answer
    },
    close: async () => {
      await app.close()
      await test.close()
    },
  }
}

/** What a server gives; `description.test.ts` compares it with the routes. */
function describeOnce(): Description {
  shipped ??= readDescription(JSON.parse(readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8')))
  return shipped
}
let shipped: Description | null = null

function check(
  description: Description,
  { method, url }: { readonly method: string; readonly url: string },
  answer: Answer,
): void {
  const operation = description.find(method, url)
  if (operation === null) {
    assert.ok(
      [200, 404, 405].includes(answer.status),
      `${method} ${url} is documented nowhere and answered ${answer.status}`,
    )
    return
  }
  const { status, text } = answer
  const contentType = String(answer.headers['content-type'] ?? '')
  assert.equal(description.faultOf(operation, url, { status, text, contentType }), null)
  noteObserved(operation.id, status)
}
