// Every row of the contract's table of endpoints: a valid request and an invalid one, the status of each, and the names
// in the answer.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { findKind } from '../../src/api/json-api/find-kind.ts'
import type { Answer, WireResource } from '../support/api.ts'
import { contractResources } from '../support/contract-resources.ts'
import { openWorld, type World } from '../support/world.ts'
import { customFieldRows } from './contract/custom-fields.ts'
import { partyRows } from './contract/parties.ts'
import { referenceRows } from './contract/reference.ts'
import { type Asked, type Method, nobody, of, type Row } from './contract/row.ts'
import { searchAndDocumentRows } from './contract/search-and-documents.ts'
import { trackingRows } from './contract/tracking.ts'
import { webhookRows } from './contract/webhooks.ts'

let world: World
before(async () => {
  world = await openWorld()
})
after(() => world.close())

// In the order of the contract, because the requests also create and delete resources.
const rows: readonly Row[] = [
  ...trackingRows,
  ...referenceRows,
  ...partyRows,
  ...customFieldRows,
  ...webhookRows,
  ...searchAndDocumentRows,
]

/** Replaces the names of resources by the ids of the account's own resources. */
function fill<Value>(value: Value): Value {
  const { ids, receiverUrl } = world.owner
  const own: Readonly<Record<string, string>> = { ...ids, receiver: receiverUrl }
  return JSON.parse(JSON.stringify(value).replace(/\{(\w+)\}/g, (whole, name: string) => own[name] ?? whole)) as Value
}

async function ask(row: Row['row'], asked: Asked): Promise<Answer> {
  const [method = '', path = ''] = row.split(' ')
  const { body } = asked
  const answer = await world.api.call({
    method: method as Method,
    url: `/v2${fill(asked.url ?? path)}`,
    key: world.owner.key,
    ...(body === undefined ? {} : { body: fill(body) }),
  })
  assert.equal(answer.status, asked.status, answer.text.slice(0, 500))
  return answer
}

/** All names of the contract, each with its form in JSON. */
function checkNames(resource: WireResource): void {
  const contract = contractResources[resource.type]
  if (contract === undefined) return
  for (const name of contract.attributes) assert.ok(name in resource.attributes, `${resource.type}.${name}`)
  const known = Object.keys(findKind(resource.type)?.relations ?? {})
  for (const name of contract.relationships) assert.ok(known.includes(name), `${resource.type}.${name}`)
}

describe('the contract’s table', () => {
  for (const { row, good, bad } of rows) {
    test(`${row}: ${good.status} for a valid request, ${bad.status} for an invalid one`, async () => {
      // Before a resource is deleted, the invalid request for it is sent.
      const refused = await ask(row, bad)
      const answer = await ask(row, good)
      for (const each of [refused, answer]) {
        if (each.status < 300) continue
        const error = each.body.errors?.[0]
        assert.equal(error?.status, String(each.status))
        assert.ok(error?.title && error.detail)
      }
      if (good.type === null || good.type === undefined) return
      const data = [answer.body.data].flat() as readonly WireResource[]
      assert.ok(data.length > 0, 'nothing came back')
      for (const resource of data) assert.equal(resource.type, good.type)
      for (const resource of [...data, ...(answer.body.included ?? [])]) checkNames(resource)
      if (good.status !== 201) return
      const location = String(answer.headers['location'])
      const made = await world.api.call({ url: new URL(location).pathname, key: world.owner.key })
      assert.equal(made.one().id, data[0]?.id, location)
    })
  }

  test('POST /rails/active_storage/direct_uploads is 200 with an upload address, and 422 without a file', async () => {
    const url = '/rails/active_storage/direct_uploads'
    const ask = (blob: object) => world.api.call({ method: 'POST', url, body: { blob }, key: world.owner.key })
    const blob = {
      filename: 'a.pdf',
      content_type: 'application/pdf',
      byte_size: 1,
      checksum: 'DMF1ucDxtqgxw5niaXcmYQ==',
    }
    const { status, body } = await ask(blob)
    assert.equal(status, 200)
    for (const name of ['id', 'key', 'filename', 'content_type', 'byte_size', 'checksum', 'signed_id', 'created_at'])
      assert.ok(body[name], name)
    assert.ok((body['direct_upload'] as { readonly url: string }).url)
    assert.equal((await ask({})).status, 422)
  })

  test('every resource that is served has the attributes and relationships of the contract', () => {
    for (const [type, contract] of Object.entries(contractResources)) {
      const kind = findKind(type)
      assert.ok(kind, type)
      for (const name of contract.attributes) assert.ok(kind.attributes[name], `${type}.${name}`)
      for (const name of contract.relationships) assert.ok(kind.relations[name], `${type}.${name}`)
    }
  })
})

describe('JSON:API', () => {
  const party = of('party', { company_name: 'Siskin' })
  const post = (contentType: string) =>
    world.api.call({
      method: 'POST',
      url: '/v2/parties',
      key: world.owner.key,
      body: party,
      headers: { 'content-type': contentType },
    })

  test('a JSON:API body with an ext parameter or a charset other than UTF-8 is 415', async () => {
    for (const [type, status] of [
      ['application/vnd.api+json; profile="https://example.com/a"', 201],
      ['application/json; charset=utf-8', 201],
      ['application/vnd.api+json; charset=utf-8', 201],
      ['application/vnd.api+json;Charset="UTF-8"', 201],
      ['application/vnd.api+json; charset=iso-8859-1', 415],
      ['application/vnd.api+json; ext="https://example.com/b"', 415],
    ] as const)
      assert.equal((await post(type)).status, status, type)
  })

  test('an Accept header is 406 if each of its media types has an unsupported parameter', async () => {
    for (const [accept, status] of [
      ['application/vnd.api+json; charset=utf-8', 200],
      ['application/vnd.api+json; version=1', 406],
      ['application/vnd.api+json; ext="https://example.com/b"', 406],
      ['application/vnd.api+json; version=1, application/vnd.api+json', 200],
      ['application/vnd.api+json; profile="https://example.com/a"', 200],
      ['application/vnd.api+json; version=1, application/json', 200],
      ['application/json; version=1', 406],
      ['application/json; charset=utf-8', 200],
      ['application/json;q=0.9', 200],
    ] as const) {
      const { status: given } = await world.api.call({
        url: '/v2/parties',
        key: world.owner.key,
        headers: { accept },
      })
      assert.equal(given, status, accept)
    }
  })

  test('an id that the client generates is refused with a pointer to it', async () => {
    const body = { data: { ...party.data, id: nobody } }
    const answer = await world.api.call({ method: 'POST', url: '/v2/parties', key: world.owner.key, body })
    assert.equal(answer.status, 403)
    assert.deepEqual(answer.error().source, { pointer: '/data/id' })
  })
})
