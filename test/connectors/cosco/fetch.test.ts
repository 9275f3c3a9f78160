import assert from 'node:assert/strict'
import { createHash, createHmac } from 'node:crypto'
import { describe, test } from 'node:test'
import { openCoscoSource } from '../../../src/connectors/cosco/cosco-source.ts'
import { coscoProfile } from '../../../src/connectors/cosco/profile.ts'
import { signQuestion } from '../../../src/connectors/cosco/sign.ts'
import type { PollRequest } from '../../../src/connectors/source.ts'
import { createEgress } from '../../../src/platform/egress.ts'
import { type Asked, sendJson, startLine } from '../line-server.ts'
import { asked, content } from './answer.ts'

const secrets = { apiKey: 'an application', secretKey: 'not a real secret' }
const nowMs = Date.UTC(2026, 2, 2, 10)
const egress = createEgress({ allowedNetworks: [], allowLoopback: true, connectTimeoutMs: 2_000 })
const context = { egress, now: () => nowMs }

/** As the line's gateway does it: with the secret it knows, over the headers that the authorization lists. */
function isSigned({ headers, method, url }: Asked): boolean {
  const stated = String(headers['x-coscon-authorization'])
  const [, user, algorithm, names = '', signature] =
    /^hmac username="([^"]+)",algorithm="([^"]+)",headers="([^"]+)",signature="([^"]+)"$/.exec(stated) ?? []
  const lines = names
    .split(' ')
    .map((name) =>
      name === 'request-line'
        ? `${method} ${url.pathname}${url.search} HTTP/1.1`
        : `${name}: ${String(headers[name.toLowerCase()])}`,
    )
  const own = createHmac('sha1', secrets.secretKey).update(lines.join('\n')).digest('base64')
  const digest = `SHA-256=${createHash('sha256').update('').digest('base64')}`
  const isFresh = Math.abs(Date.parse(String(headers['x-coscon-date'])) - nowMs) < 120_000
  const isWhole = headers['x-coscon-digest'] === digest && names.includes('X-Coscon-Digest')
  return user === secrets.apiKey && algorithm === 'hmac-sha1' && signature === own && isFresh && isWhole
}

async function ask(request: PollRequest, given: Readonly<Record<string, string>> = secrets) {
  const line = await startLine((question, response) => {
    if (isSigned(question)) return sendJson(response, { code: 0, data: { type: 'bl', content } })
    response.writeHead(401, { 'content-type': 'application/json' })
    response.end('{"message":"HMAC signature cannot be verified"}')
  })
  try {
    const profile = { ...coscoProfile, base: `${line.base}/service` }
    const result = await openCoscoSource().fetch(request, { profile, secrets: given }, context)
    return { result, questions: line.asked }
  } finally {
    await line.close()
  }
}

describe('polling COSCO', () => {
  test('signs a request as openssl does', () => {
    const url = new URL('https://api.lines.coscoshipping.com/service/info/tracking/6412345670?numberType=bl')
    const nonce = '5f0c1a9e-9f53-4d0e-8a3f-3a1b52ac7f11'
    const headers = signQuestion(url, { ...secrets, nowMs, nonce })
    assert.equal(headers['X-Coscon-Date'], 'Mon, 02 Mar 2026 10:00:00 GMT')
    assert.equal(headers['X-Coscon-Hmac'], '7645c8ccbb8cc26404f7a9ae1d0c7ae9')
    assert.match(headers['X-Coscon-Authorization'], /signature="owHOd0Rak\+ZwPzrFwWHa8GJ1vgo="$/)
  })

  test('requests a bill without the line’s prefix, signed, and understands the answer', async () => {
    const { result, questions } = await ask({ ...asked, number: 'COSU6412345670' })
    assert.ok(result.kind === 'answered')
    assert.equal(result.snapshot.status, 200)
    assert.equal(questions[0]?.url.pathname, '/service/info/tracking/6412345670')
    assert.equal(questions[0]?.url.search, '?numberType=bl')
    assert.equal(openCoscoSource().read(result.snapshot, asked, coscoProfile).outcome, 'found')
    assert.ok(!JSON.stringify(result).includes(secrets.secretKey))
  })

  test('signs two requests differently, and is refused with a wrong secret', async () => {
    const [one, two] = [await ask(asked), await ask(asked)]
    const signatures = [one, two].map(({ questions }) => questions[0]?.headers['x-coscon-hmac'])
    assert.notEqual(signatures[0], signatures[1])
    const { result } = await ask(asked, { ...secrets, secretKey: 'another' })
    assert.ok(result.kind === 'answered' && result.snapshot.status === 401)
    assert.equal(openCoscoSource().read(result.snapshot, asked, coscoProfile).outcome, 'access_denied')
  })

  test('sends no request by container number, or without its secrets', async () => {
    const byBox = await ask({ scac: 'COSU', kind: 'container', number: 'CSNU6276212' })
    const without = await ask(asked, { apiKey: 'an application' })
    assert.deepEqual(
      [byBox, without].map(({ result, questions }) => [
        result.kind === 'unreachable' && result.reason,
        questions.length,
      ]),
      [
        ['unsupported_kind', 0],
        ['no_access', 0],
      ],
    )
  })
})
