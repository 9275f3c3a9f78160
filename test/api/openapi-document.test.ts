import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { problemCodes, writeErrorsPage } from '../../src/api/shape/error-table.ts'
import { readConfig } from '../../src/platform/config.ts'
import { programVersion } from '../../src/platform/program-version.ts'
import { openDescribedApi } from '../../tools/described-api.ts'
import { writeOpenApi } from '../../tools/openapi-text.ts'
import { openTestApi, type TestApi } from '../support/api.ts'

/** Every schema of the document, wherever it is. */
function schemasIn(value: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) =>
    name === 'schema' ? [inner] : name === 'schemas' ? Object.values(inner as object) : schemasIn(inner),
  )
}

let api: TestApi
before(async () => {
  api = await openTestApi()
})
after(() => api.close())

interface Document {
  readonly openapi: string
  readonly info: { readonly version: string; readonly title: string; readonly description: string }
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly responses: object; readonly operationId: string }>>>
  >
  readonly tags: readonly { readonly name: string }[]
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> }
}

describe('the OpenAPI document', () => {
  test('is served without a key, is OpenAPI 3.1, has the version of the program and says Beta', async () => {
    const answer = await api.call({ url: '/v2/openapi.json', key: null })
    const document = answer.body as unknown as Document
    assert.equal(document.openapi, '3.1.0')
    assert.equal(document.info.version, programVersion)
    assert.equal(document.info.title, 'Landfall')
    assert.match(document.info.description, /Beta/)
  })

  test('names every operation once and documents a schema for each of its statuses', async () => {
    const document = (await api.call({ url: '/v2/openapi.json', key: null })).body as unknown as Document
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path))
    const ids = operations.map(({ operationId }) => operationId)
    assert.equal(new Set(ids).size, ids.length)
    for (const { responses, operationId } of operations) {
      for (const [status, response] of Object.entries(responses)) {
        const { content } = response as { content?: object }
        assert.equal(content !== undefined, !['204', '304'].includes(status), `${operationId} ${status}`)
      }
    }
  })

  test('marks itself and the inference operation as beta', async () => {
    const document = (await api.call({ url: '/v2/openapi.json', key: null })).body
    const info = document['info'] as Readonly<Record<string, unknown>>
    assert.equal(info['x-beta'], true)
    const infer = Object(document['paths'])['/v2/tracking_requests/infer_number'].post
    assert.equal(infer['x-beta'], true)
    assert.match(infer.description, /^Beta\./)
  })

  test('has no unused part and no invalid schema (JSON Schema 2020-12)', async () => {
    const answer = await api.call({ url: '/v2/openapi.json', key: null })
    const { components } = answer.body as unknown as Document
    const used = new Set(
      [...answer.text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name),
    )
    assert.deepEqual(
      Object.keys(components.schemas).filter((name) => !used.has(name)),
      [],
    )
    const ajv = new Ajv2020({ strict: false })
    for (const schema of schemasIn(answer.body))
      assert.ok(ajv.validateSchema(schema as object), JSON.stringify(schema).slice(0, 300))
  })

  test('is a valid OpenAPI 3.1 document: objects are complete, and path placeholders match parameters', async () => {
    const document = (await api.call({ url: '/v2/openapi.json', key: null })).body as unknown as Document
    for (const [path, methods] of Object.entries(document.paths)) {
      assert.match(path, /^\//)
      for (const [method, operation] of Object.entries(methods)) {
        assert.ok(['get', 'post', 'put', 'patch', 'delete'].includes(method), `${method} ${path}`)
        const {
          parameters = [],
          responses,
          requestBody,
          tags,
        } = operation as unknown as {
          readonly parameters?: readonly {
            readonly name: string
            readonly in: string
            readonly schema: object
          }[]
          readonly responses: Readonly<Record<string, { readonly description?: string }>>
          readonly requestBody?: { readonly content: object }
          readonly tags: readonly string[]
        }
        const places = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
        const inPath = parameters.filter((each) => each.in === 'path').map(({ name }) => name)
        assert.deepEqual(inPath, places, `${method} ${path}`)
        const names = parameters.map((each) => `${each.in} ${each.name}`)
        assert.equal(new Set(names).size, names.length, `${method} ${path}`)
        for (const each of parameters) assert.ok(each.schema, `${method} ${path} ${each.name}`)
        for (const [status, { description }] of Object.entries(responses))
          assert.ok(/^\d{3}$/.test(status) && description, `${method} ${path} ${status}`)
        if (requestBody !== undefined) assert.ok(Object.keys(requestBody.content).length > 0)
        for (const tag of tags)
          assert.ok(
            document.tags.some(({ name }) => name === tag),
            tag,
          )
      }
    }
  })

  test('has only examples that fit their schemas', async () => {
    const document = (await api.call({ url: '/v2/openapi.json', key: null })).body as unknown as Document
    const ajv = new Ajv2020({ strict: false })
    formats.default(ajv)
    ajv.addSchema(document, 'openapi')
    const faults: string[] = []
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const [method, { operationId, ...operation }] of Object.entries(methods)) {
        const { requestBody } = operation as { readonly requestBody?: { readonly content: object } }
        for (const [media, { example }] of Object.entries(requestBody?.content ?? {})) {
          const parts = ['paths', path, method, 'requestBody', 'content', media, 'schema']
          const pointer = parts.map((each) => encodeURIComponent(each.replaceAll('/', '~1')))
          const validate = ajv.getSchema(`openapi#/${pointer.join('/')}`)
          if (example === undefined) faults.push(`${operationId} has no example`)
          else if (!validate?.(example)) faults.push(`${operationId}: ${ajv.errorsText(validate?.errors)}`)
        }
      }
    }
    assert.deepEqual(faults, [])
  })

  test('is identical to docs/openapi.json', async () => {
    const app = await openDescribedApi({ config: readConfig({}) } as unknown as Parameters<typeof openDescribedApi>[0])
    await app.ready()
    const page = readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8')
    assert.ok(page === writeOpenApi(app.swagger()), 'run: npm run openapi')
    await app.close()
  })

  test('has no broken reference', async () => {
    const answer = await api.call({ url: '/v2/openapi.json', key: null })
    const { components } = answer.body as unknown as Document
    for (const [, name = ''] of answer.text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)) {
      assert.ok(components.schemas[name], name)
    }
    assert.ok(!answer.text.includes('"$ref":"') || !/"\$ref":"(?!#\/components\/schemas\/)/.test(answer.text))
  })

  test('/docs lists every operation and every resource, each with a section on a page', async () => {
    const document = (await api.call({ url: '/v2/openapi.json', key: null })).body as unknown as Document
    const read = async (url: string): Promise<string> => {
      const page = await api.call({ url, key: null })
      assert.equal(page.status, 200, url)
      assert.ok(!/<script|(src|href)="(https?:)?\/\//.test(page.text), 'nothing from elsewhere')
      assert.ok(page.text.length < 300 * 1_024, `${url} has ${page.text.length} bytes`)
      return page.text
    }
    const first = await read('/docs')
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const method of Object.keys(methods))
        assert.ok(first.includes(`${method.toUpperCase()} ${path}`), `${method} ${path}`)
    }
    for (const name of Object.keys(document.components.schemas)) assert.ok(first.includes(`resource-${name}`), name)
    const pages = new Map<string, string>()
    for (const [, page = '', place] of first.matchAll(/href="(\/docs\/[^"#]+)(?:#([^"]+))?"/g)) {
      if (!pages.has(page)) pages.set(page, await read(page))
      if (place !== undefined) assert.ok(pages.get(page)?.includes(`id="${place}"`), `${page}#${place}`)
    }
    for (const [page, text] of pages)
      for (const [, to = '', place = ''] of text.matchAll(/href="(\/docs\/[^"#]+)#([^"]+)"/g))
        assert.ok(pages.get(to)?.includes(`id="${place}"`), `${page} leads to ${to}#${place}`)
    assert.match(pages.get('/docs/webhooks') ?? '', /Attributes of the body/)
    assert.equal((await api.call({ url: '/docs/nothing', key: null })).status, 404)
  })
})

describe('operational addresses', () => {
  test('/healthz, /readyz, /metrics and / answer without a key', async () => {
    assert.deepEqual((await api.call({ url: '/healthz', key: null })).body, {
      status: 'live',
      version: programVersion,
    })
    const ready = await api.call({ url: '/readyz', key: null })
    assert.deepEqual(ready.body, {
      status: 'ready',
      database: true,
      migrations: true,
      writes: true,
      paused: false,
      troubles: [],
    })
    const metrics = await api.call({ url: '/metrics', key: null })
    assert.match(metrics.text, /landfall_request_answered_total\{[^}]*route="\/readyz"/)
    assert.match((await api.call({ url: '/', key: null })).text, /<h1>Landfall<\/h1>/)
  })

  test('/metrics is 500 without details when its counters cannot be read', async () => {
    const { metrics } = api.service
    const { write } = metrics
    Object.assign(metrics, { write: () => Promise.reject(new Error('secret')) })
    const answer = await api.call({ url: '/metrics', key: null, isToCrash: true })
    Object.assign(metrics, { write })
    assert.equal(answer.status, 500)
    assert.ok(!answer.text.includes('secret'))
  })

  test('a database without the newest migration is reported as not ready', async () => {
    await api.service.pool.query('create table kept as select * from migrations')
    await api.service.pool.query('delete from migrations')
    const answer = await api.call({ url: '/readyz', key: null })
    await api.service.pool.query('insert into migrations select * from kept')
    assert.equal(answer.status, 503)
    assert.deepEqual(answer.body, {
      status: 'not_ready',
      database: true,
      migrations: false,
      writes: true,
      paused: false,
      troubles: [],
    })
  })

  test('docs/errors.md is up to date with the table of errors', () => {
    const page = readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8')
    assert.equal(page, writeErrorsPage(), 'run: npm run openapi')
    for (const code of problemCodes) assert.ok(page.includes(`\`${code}\``))
  })
})
