/**
 * Requests for arrival notices over real HTTP on loopback: the request, its pages, and the settings that differ by
 * publisher.
 */

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { readPages } from '../../../src/connectors/pages.ts'
import type { MentionedNumber } from '../../../src/connectors/pushed-source.ts'
import { findPushedSource } from '../../../src/connectors/pushed-source-registry.ts'
import type { FetchResult } from '../../../src/connectors/source.ts'
import { createEgress } from '../../../src/platform/egress.ts'
import { type Asked, type LineServer, sendJson, startLine } from '../line-server.ts'
import { notice } from './notices.ts'

const egress = createEgress({ allowedNetworks: [], allowLoopback: true })
after(() => egress.close())

const source = findPushedSource('arrival_notice')
assert.ok(source?.polling !== undefined)
const { polling } = source

const bills: readonly MentionedNumber[] = ['HHL71800000', 'HHL71800001'].map((number) => ({
  kind: 'bill_of_lading',
  number,
}))

async function withLine(
  answer: Parameters<typeof startLine>[0],
  check: (
    line: LineServer,
    ask: (
      profile?: Readonly<Record<string, unknown>>,
      numbers?: readonly MentionedNumber[],
      secrets?: Readonly<Record<string, string>>,
    ) => Promise<FetchResult>,
  ) => Promise<void>,
): Promise<void> {
  const line = await startLine(answer)
  try {
    await check(line, (profile = {}, numbers = bills, secrets = {}) =>
      polling.fetch(numbers, { profile: { base: line.base, ...profile }, secrets }, { egress, now: Date.now }),
    )
  } finally {
    await line.close()
  }
}

const nothing = (_: Asked, response: Parameters<typeof sendJson>[0]): void => sendJson(response, { arrivalNotices: [] })

test('requests several documents together, in the version of the standard, without optional parameters', () =>
  withLine(nothing, async (line, ask) => {
    await ask()
    const [{ url, headers, method } = assert.fail()] = line.asked
    assert.equal(method, 'GET')
    assert.equal(url.pathname, '/arrival-notices')
    assert.deepEqual([...url.searchParams], [['transportDocumentReferences', 'HHL71800000,HHL71800001']])
    assert.equal(headers['api-version'], '1.0.1')
  }))

test('a profile sets path, parameters, prefixes and kinds of number of a publisher', () =>
  withLine(nothing, async (line, ask) => {
    const profile = {
      path: '/an/v1/arrival-notices',
      extraParameters: { includeVisualization: ['false'], limit: ['50'] },
      stripPrefixes: ['HLCU'],
      parameters: {
        bill_of_lading: 'transportDocumentReferences',
        booking: null,
        container: 'equipmentReferences',
      },
    }
    assert.deepEqual(polling.supportedKinds({ base: line.base, ...profile }), ['container', 'bill_of_lading'])
    await ask(profile, [{ kind: 'bill_of_lading', number: 'HLCU123' }])
    await ask(profile, [{ kind: 'container', number: 'APZU4812090' }])
    assert.deepEqual(
      line.asked.map(({ url }) => decodeURIComponent(url.pathname + url.search)),
      [
        '/an/v1/arrival-notices?transportDocumentReferences=123&includeVisualization=false&limit=50',
        '/an/v1/arrival-notices?equipmentReferences=APZU4812090&includeVisualization=false&limit=50',
      ],
    )
  }))

test('sends no request for numbers of an unsupported kind, or of several kinds', () =>
  withLine(nothing, async (line, ask) => {
    const container: MentionedNumber = { kind: 'container', number: 'APZU4812090' }
    for (const numbers of [[container], [...bills, container], []]) {
      const result = await ask({}, numbers)
      assert.ok(result.kind === 'unreachable' && result.reason === 'unsupported_kind')
    }
    assert.equal(line.asked.length, 0)
  }))

test('follows the cursor of each page with all request parameters, and stores each page unchanged', () =>
  withLine(
    ({ url }, response) => {
      const cursor = url.searchParams.get('cursor')
      // A cursor may look like anything, a path too.
      const next = { null: '/b+c=', '/b+c=': 'last' }[String(cursor)]
      const page = { arrivalNotices: [notice({ typeLabel: String(cursor) })] }
      sendJson(response, page, next === undefined ? {} : { 'Next-Page-Cursor': next })
    },
    async (line, ask) => {
      const result = await ask()
      assert.ok(result.kind === 'answered')
      const { pages, complete } = readPages(result.snapshot)
      assert.equal(complete, true)
      assert.deepEqual(
        line.asked.map(({ url }) => url.searchParams.get('cursor')),
        [null, '/b+c=', 'last'],
      )
      for (const { url } of line.asked)
        assert.equal(url.searchParams.get('transportDocumentReferences'), 'HHL71800000,HHL71800001')
      const parts = pages.flatMap(({ body }) => source.splitDelivery(body, { scac: 'HLCU' }).parts)
      assert.equal(parts.length, 3)
    },
  ))

test('requests no more pages than the profile allows, and marks the answer as incomplete', () =>
  withLine(
    (_, response) => sendJson(response, [notice()], { 'Next-Page-Cursor': 'again' }),
    async (line, ask) => {
      const result = await ask({ pagesMax: 1 })
      assert.ok(result.kind === 'answered')
      assert.equal(readPages(result.snapshot).complete, false)
      assert.equal(line.asked.length, 1)
    },
  ))

test('authenticates as its profile states, and sends no request without all secrets', () =>
  withLine(nothing, async (line, ask) => {
    const profile = { auth: { keyHeaders: { 'x-api-key': 'apiKey' }, oauth: null } }
    assert.deepEqual(polling.secretNames({ base: line.base, ...profile }), ['apiKey'])
    const refused = await ask(profile)
    assert.ok(refused.kind === 'unreachable' && refused.reason === 'no_access')
    await ask(profile, bills, { apiKey: 'KEY-s3cret' })
    assert.deepEqual(
      line.asked.map(({ headers }) => headers['x-api-key']),
      ['KEY-s3cret'],
    )
  }))

test('a profile without an address or with an unknown field is refused', () => {
  const parsed = polling.parseProfile({ base: 'https://line.example' })
  assert.ok(parsed.ok)
  assert.equal(polling.batchMax(parsed.value), 1)
  assert.deepEqual(polling.supportedKinds(parsed.value), ['bill_of_lading'])
  for (const [value, reason] of [
    [{}, /base/],
    [null, /base/],
    ['https://line.example', /object/],
    [{ base: 'https://user@line.example' }, /base/],
    [{ base: 'https://line.example', batchMax: 0 }, /batchMax/],
    [{ base: 'https://line.example', apikey: 'x' }, /apikey/],
  ] as const) {
    const refused = polling.parseProfile(value)
    assert.ok(!refused.ok)
    assert.match(refused.reason, reason)
  }
})
