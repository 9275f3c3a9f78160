import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { problemCodes, writeErrorsPage } from '../../src/doors/api/error-table.ts'
import { openTestApi, type TestApi } from '../support/api.ts'

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
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> }
}

describe('the OpenAPI document', () => {
  test('is served without a key, is 3.1, bears version 0.2.0 and says Beta', async () => {
    const answer = await api.call({ url: '/v2/openapi.json', key: null })
    const document = answer.body as unknown as Document
    assert.equal(document.openapi, '3.1.0')
    assert.equal(document.info.version, '0.2.0')
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

  test('every reference in it leads somewhere', async () => {
    const answer = await api.call({ url: '/v2/openapi.json', key: null })
    const { components } = answer.body as unknown as Document
    for (const [, name = ''] of answer.text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)) {
      assert.ok(components.schemas[name], name)
    }
    assert.ok(!answer.text.includes('"$ref":"') || !/"\$ref":"(?!#\/components\/schemas\/)/.test(answer.text))
  })

  test('/docs shows every operation and every resource, with nothing from elsewhere', async () => {
    const document = (await api.call({ url: '/v2/openapi.json', key: null })).body as unknown as Document
    const page = await api.call({ url: '/docs', key: null })
    assert.equal(page.status, 200)
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const method of Object.keys(methods))
        assert.ok(page.text.includes(`${method.toUpperCase()} ${path}`), `${method} ${path}`)
    }
    for (const name of Object.keys(document.components.schemas))
      assert.ok(page.text.includes(`resource-${name}`), name)
    assert.ok(!/<script|(src|href)="(https?:)?\/\//.test(page.text))
  })
})

describe('operations', () => {
  test('/healthz, /readyz, /metrics and / answer without a key', async () => {
    assert.deepEqual((await api.call({ url: '/healthz', key: null })).body, { status: 'live' })
    const ready = await api.call({ url: '/readyz', key: null })
    assert.deepEqual(ready.body, { status: 'ready', database: true, migrations: true })
    const metrics = await api.call({ url: '/metrics', key: null })
    assert.match(metrics.text, /landfall_request_answered_total\{[^}]*route="\/readyz"/)
    assert.match((await api.call({ url: '/', key: null })).text, /<h1>Landfall<\/h1>/)
  })

  test('a database without the newest migration is not ready', async () => {
    await api.service.pool.query('create table kept as select * from migrations')
    await api.service.pool.query('delete from migrations')
    const answer = await api.call({ url: '/readyz', key: null })
    await api.service.pool.query('insert into migrations select * from kept')
    assert.equal(answer.status, 503)
    assert.deepEqual(answer.body, { status: 'not_ready', database: true, migrations: false })
  })

  test('docs/errors.md is what the error table says', () => {
    const page = readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8')
    assert.equal(page, writeErrorsPage(), 'run: node tools/run.mjs tools/openapi.ts')
    for (const code of problemCodes) assert.ok(page.includes(`\`${code}\``))
  })
})
