// Goes through every operation of the OpenAPI document, new ones too, and checks that each documented status can occur.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { openTestApi, type TestApi } from '../support/api.ts'
import { type Operation, readsByPost } from '../support/description.ts'
import { type Furnished, openWorld, type World } from '../support/world.ts'
import { exampleBody, inOrder, placesOf, requestFor } from '../support/world-requests.ts'

let world: World
before(async () => {
  world = await openWorld({ timeouts: { repeatMs: 40 } })
})
after(() => world.close())

const nobody = '018f0000-0000-7000-8000-0000000000aa'
const noState = '"AAAAAAAAAAAAAAAA.AAAAAAAAAAAAAAAA"'

/** The operations of the document that can give this status and need a key. */
const giving = (status: number): readonly Operation[] =>
  inOrder(world.api.description.operations).filter(
    ({ responses, isOpen }) => responses[status] !== undefined && !isOpen,
  )

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

type Asked = Partial<Parameters<TestApi['call']>[0]>

/**
 * Sends each operation its valid request with `change` applied and expects this status. The error names all operations
 * with another status.
 */
async function each(
  operations: readonly Operation[],
  /** Null: a status of success, or 403 if the operation has none. */
  status: number | null,
  change: (operation: Operation, usual: ReturnType<typeof requestFor>) => Asked | null | Promise<Asked | null>,
  of: Furnished = world.owner,
): Promise<void> {
  const faults: string[] = []
  for (const operation of operations) {
    try {
      const usual = requestFor(operation, of)
      const asked = await change(operation, usual)
      if (asked === null) continue
      const headers = { ...usual.headers, ...asked.headers }
      const answer = await world.api.call({ ...usual, ...asked, headers })
      const wanted = status === null ? successesOf(operation) : [status]
      if (!wanted.includes(answer.status))
        faults.push(`${operation.id}: ${answer.status}, not ${wanted}: ${answer.text.slice(0, 300)}`)
    } catch (error) {
      faults.push(`${operation.id}: ${(error as Error).message.slice(0, 600)}`)
    }
  }
  assert.deepEqual(faults, [])
}

function successesOf({ responses }: Operation): readonly number[] {
  const found = Object.keys(responses)
    .map(Number)
    .filter((status) => status < 300)
  return found.length === 0 ? [403] : found
}

const withParameter = (url: string, parameter: string) => url + (url.includes('?') ? '&' : '?') + parameter
const isJsonApi = (body: unknown): body is { readonly data: Readonly<Record<string, unknown>> } =>
  typeof body === 'object' && body !== null && !Array.isArray((body as { data?: unknown }).data) && 'data' in body

describe('every operation', () => {
  test('that needs a key is 401 without one', () => each(giving(401), 401, () => ({ key: null })))

  test('is 403 for a key without the required read or write scope', async () => {
    const readOnly = await world.api.newKey(world.owner.context, ['read'])
    const writeOnly = await world.api.newKey(world.owner.context, ['write'])
    await each(giving(403), 403, ({ method, id }) => ({
      key: method === 'GET' || readsByPost.has(id) ? writeOnly : readOnly,
    }))
  })

  test('is 406 if the client accepts neither of its media types', () =>
    each(giving(406), 406, () => ({ headers: { accept: 'image/png' } })))

  test('is 400 for a query parameter that it does not have', () =>
    each(giving(400), 400, ({ responses, method }, { url }) =>
      (responses[200] ?? responses[201] ?? responses[204] ?? responses[207])
        ? { url: withParameter(url, 'no_such_parameter=1') }
        : method === 'GET'
          ? null
          : { headers: { 'if-match': noState } },
    ))

  test('is 404 for an unknown id and for a text that is not an id', async () => {
    for (const id of [nobody, 'no-id']) {
      await each(giving(404), 404, (operation, { body }) => {
        if (placesOf(operation) > 0) return requestFor(operation, world.owner, { 0: id })
        return isJsonApi(body) ? { body: { data: { ...body.data, id } } } : null
      })
    }
  })

  test('is 413 for a body larger than one megabyte, or eight megabytes where it accepts a table', () =>
    each(giving(413), 413, ({ bodyType }) => ({
      body: `{"data":"${'x'.repeat(bodyType === null ? 1_048_577 : 8_388_609)}"}`,
    })))

  test('is 415 for a body in another media type', () =>
    each(giving(415), 415, () => ({ body: 'number=1', headers: { 'content-type': 'text/plain' } })))

  test('is 409 for a body of another resource type', () =>
    each(giving(409), 409, (_, { body }) =>
      isJsonApi(body) ? { body: { data: { ...body.data, type: 'nonsense' } } } : null,
    ))

  test('is 422 for a body with an unknown attribute', () =>
    each(giving(422), 422, (_, { body }) => {
      if (body === undefined) return null
      if (!isJsonApi(body)) return { body: { ...(body as object), no_such_attribute: 1 } }
      const attributes = { ...(body.data['attributes'] as object), no_such_attribute: 1 }
      return { body: { data: { ...body.data, attributes } } }
    }))

  test('is 422 for a query value that is too long', () =>
    each(giving(422), 422, ({ parameters, method }, { url }) => {
      const bounded = parameters.find(
        ({ in: place, name, schema }) =>
          place === 'query' &&
          !/^(sort|page\[\w+\])$/.test(name) && // these are 400
          (Number(schema['maxLength']) > 0 || schema['enum'] !== undefined),
      )
      if (method !== 'GET' || bounded === undefined) return null
      const [path = '', query = ''] = url.split('?', 2)
      const asked = new URLSearchParams(query)
      asked.set(bounded.name, 'x'.repeat(300))
      return { url: `${path}?${asked}` }
    }))

  test('that is paged is 422 for a page size of zero', () =>
    each(giving(422), 422, ({ parameters }, { url }) =>
      parameters.some(({ name }) => name === 'page[size]')
        ? { url: withParameter(url, 'page[size]=0'), body: undefined }
        : null,
    ))

  test('that supports If-Match is 412 after a change', () =>
    each(giving(412), 412, () => ({ headers: { 'if-match': noState } })))

  test('that reads is 304 if the client already has the answer', () =>
    each(giving(304), 304, () => ({ headers: { 'if-none-match': '*' } })))

  test('is 500 for an unexpected error, and the answer reveals nothing about it', async () => {
    const { pool } = world.api.service
    const { query } = pool
    const broken = (() => Promise.reject(new Error('secret at /srv/x.ts:1:1'))) as unknown as typeof query
    pool.query = broken
    try {
      await each(giving(500), 500, () => {
        world.api.clock.advance(10_000) // keys are remembered for five seconds
        return { isToCrash: true }
      })
    } finally {
      pool.query = query
    }
  })

  test('is 503 while the database is unavailable', async () => {
    const { pool } = world.api.service
    const { query } = pool
    const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED', syscall: 'connect' })
    pool.query = (() => Promise.reject(refused)) as unknown as typeof query
    try {
      await each(giving(503), 503, () => {
        world.api.clock.advance(10_000)
        return {}
      })
    } finally {
      pool.query = query
    }
  })
})

test('every operation is 503 with Retry-After for an access token while its authorization server is unavailable', async () => {
  const port = await freePort()
  const issuer = `http://127.0.0.1:${port}`
  const elsewhere = await openTestApi({ env: { LANDFALL_OAUTH_ISSUER: issuer } })
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const now = Math.floor(elsewhere.clock.now() / 1_000)
  const claims = {
    iss: issuer,
    aud: 'http://127.0.0.1:3000/v2',
    sub: 's',
    client_id: 'c',
    iat: now,
    exp: now + 600,
  }
  const token = `${part({ alg: 'ES256', typ: 'at+jwt', kid: '1' })}.${part(claims)}.${part({})}`
  const faults: string[] = []
  try {
    for (const operation of giving(503)) {
      const headers = { authorization: `Bearer ${token}` }
      const answer = await elsewhere.call({ ...requestFor(operation, world.owner), key: null, headers })
      const { status } = answer
      if (status !== 503 || answer.headers['retry-after'] !== '5') faults.push(`${operation.id}: ${status}`)
    }
    assert.deepEqual(faults, [])
  } finally {
    await elsewhere.close()
  }
})

test('every operation is 429 when its account exceeds the rate limit', async () => {
  const one = {
    LANDFALL_RATE_LIMIT_DEFAULT: '1',
    LANDFALL_RATE_LIMIT_CREATE: '1',
    LANDFALL_RATE_LIMIT_INFER: '1',
    LANDFALL_RATE_LIMIT_REFRESH: '1',
  }
  const limited = await openTestApi({ env: one })
  const faults: string[] = []
  try {
    for (const operation of giving(429)) {
      const key = await limited.newKey(await limited.newAccount(), ['read', 'write'])
      const ask = () => limited.call({ ...requestFor(operation, world.owner), key })
      await ask()
      const { status, headers } = await ask()
      if (status !== 429 || !/^[1-9]\d*$/.test(String(headers['retry-after'])))
        faults.push(`${operation.id}: ${status}, Retry-After ${headers['retry-after']}`)
    }
    assert.deepEqual(faults, [])
  } finally {
    await limited.close()
  }
})

test('a POST with a used Idempotency-Key is 422 for a different request, and 409 while the first one runs', async () => {
  const posts = giving(409).filter(({ method }) => method === 'POST')
  const { pool } = world.api.service
  const headersOf = ({ id }: Operation) => ({ headers: { 'idempotency-key': `twice-${id}` } })
  const another = async (operation: Operation, usual: ReturnType<typeof requestFor>) => {
    const headers = { ...usual.headers, ...headersOf(operation).headers }
    const first = await world.api.call({ ...usual, headers })
    assert.ok(first.status < 300, `${first.status} ${first.text.slice(0, 300)}`)
    return { url: withParameter(usual.url, 'again=1'), ...headersOf(operation) }
  }
  await each(posts, 422, another, world.stranger)
  await pool.query(
    `update idempotency_keys set status = null, body_sealed = null, leased_until = now() + interval '1000 years'`,
  )
  await each(posts, 409, (operation) => headersOf(operation), world.stranger)
})

test('every operation accepts its documented example and answers with a documented status', async () => {
  const all = inOrder(world.api.description.operations)
  await each(all, null, () => ({}))
})

test('these tests request different resources for the owner and for the other account', () => {
  const urls = ({ id }: Operation, of: Furnished) =>
    requestFor(world.api.description.operations.find((each) => each.id === id) as Operation, of).url
  for (const operation of world.api.description.operations) {
    if (placesOf(operation) > 0 && exampleBody(operation, world.owner) !== undefined)
      assert.notEqual(urls(operation, world.owner), urls(operation, world.stranger), operation.id)
  }
})
