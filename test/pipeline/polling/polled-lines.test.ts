/**
 * The polled lines, each simulated by a server with the known requirements of its interface. They are polled
 * with Landfall's profile and the values of an operator, and with the possible faults of a line, before and after the
 * first data.
 */

import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { findSource } from '../../../src/connectors/source-registry.ts'
import { createEgress } from '../../../src/platform/egress.ts'
import { selfSignedCertificate } from '../../connectors/dcsa/certificate.ts'
import { lineInterfaces } from './line-interfaces.ts'
import { type Answer, accessAt, type LineStage, openLineStage } from './line-stage.ts'

interface Fault {
  readonly what: string
  readonly answer: (of: LineStage) => Answer
  readonly outcome: string
  readonly issue: string
}

const faults: readonly Fault[] = [
  {
    what: 'a page to sign in, with status 200',
    answer: () => ({ body: '<html><form><input type="password"></form></html>' }),
    outcome: 'unrecognized',
    issue: 'login_page',
  },
  {
    what: 'half of an answer',
    answer: ({ good }) => ({ body: good.slice(0, Math.floor(good.length / 2)) }),
    outcome: 'unrecognized',
    issue: 'truncated_body',
  },
  {
    what: 'a fault of its own',
    answer: () => ({ status: 503, body: 'down' }),
    outcome: 'unreachable',
    issue: 'error_status',
  },
  {
    what: 'too many questions',
    answer: () => ({ status: 429, body: '{}', headers: { 'retry-after': '1800' } }),
    outcome: 'unreachable',
    issue: 'error_status',
  },
]

/** The wait that the answer "too many requests" demands. */
const askedToWaitMs = 1_800_000

for (const line of lineInterfaces) {
  test(`${line.scac} accepts our request; its failures are stored, classified and retried`, async (t) => {
    const stage = await openLineStage(t, line)
    await stage.giveSecrets(wrongOf(line.secrets))
    const id = await stage.trackIt()
    await stage.drain()
    assert.equal((await stage.request(id)).failedReason, 'shipping_line_unreachable', 'a wrong access')
    await stage.giveSecrets(line.secrets)
    const read = async () => [
      ...(await stage.rows(`select number, projection from containers order by number`)),
      ...(await stage.rows(`select id from claims where retired_at is null order by id`)),
    ]
    for (const isKnown of [false, true]) {
      if (isKnown) {
        stage.answers(null)
        await stage.nextLook()
        assert.notEqual((await stage.request(id)).shipmentId, null, 'the answer of the story is read')
      }
      const before = await read()
      for (const fault of [...faults, foreignOf(stage)]) {
        const answer = fault.answer(stage)
        stage.answers(answer)
        const asked = stage.questions().length
        const hours = await stage.nextLook()
        if (hours === null) return assert.equal((await stage.request(id)).status, 'tracking_stopped')
        const what = `${fault.what}, ${isKnown ? 'afterwards' : 'at first'}`
        assert.equal(stage.questions().length, asked + 1, `${what}: one question`)
        const { outcome, issues } = await stage.lastLook()
        assert.equal(outcome, fault.outcome, what)
        // For a shipment under way the log of polls shows it; a request that waits for its first answer shows it
        // itself.
        assert.ok(isKnown || issues.includes(fault.issue), `${what}: ${issues.join()}`)
        const stored = await stage.rows<{ body: Buffer }>('select body from snapshots')
        assert.ok(
          stored.some(({ body }) => body.toString() === answer.body),
          `${what}: what was said is kept`,
        )
        assert.deepEqual(await read(), before, `${what}: nothing is believed of it`)
        if (answer.status !== 429) continue
        const at = stage.clock.now()
        stage.clock.set(at + askedToWaitMs - 60_000)
        await stage.drain()
        assert.equal(stage.questions().length, asked + 1, `${what}: it is left alone`)
      }
    }
  })
}

test('sends no credentials to a line with an expired certificate, and the detail states why', async (t) => {
  const keys = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const certificate = selfSignedCertificate({ ...keys, isLoopback: true, ends: '210101' })
  const asked: string[] = []
  const key = keys.privateKey.export({ type: 'pkcs8', format: 'pem' })
  const server = createServer({ key, cert: certificate }, ({ url }, response) => {
    asked.push(url ?? '')
    response.end('[]')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const egress = createEgress({ allowedNetworks: [], allowLoopback: true, ca: certificate })
  t.after(() => {
    egress.close()
    server.close()
  })
  const base = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
  for (const { scac, secrets } of lineInterfaces) {
    const { source, profile } = accessAt(scac, base)
    const found = findSource(source)
    const parsed = found?.parseProfile(profile)
    assert.ok(found !== null && parsed?.ok === true)
    const number = scac === 'COSU' ? '6412345670' : 'CSQU3054383'
    const kind = scac === 'COSU' ? 'bill_of_lading' : scac === 'HDMU' ? 'booking' : 'container'
    const look = { scac, kind, number, firstRequestedAt: '2026-01-01T00:00:00.000Z' } as const
    const result = await found.fetch(look, { profile: parsed.value, secrets }, { egress, now: Date.now })
    assert.equal(result.kind, 'unreachable', scac)
    assert.match(result.kind === 'unreachable' ? result.detail : '', /tls: CERT_HAS_EXPIRED/, scac)
  }
  assert.deepEqual(asked, [])
})

/** A line that is polled for one number and answers about another. */
function foreignOf({ kind }: LineStage): Fault {
  return {
    what: 'the data of another number',
    answer: ({ foreign }) => ({ body: foreign }),
    outcome: 'unrecognized',
    issue: kind === 'container' ? 'other_container' : 'other_document',
  }
}

/** A key or a password that the line does not know; a signing key that it does not know either. */
function wrongOf(secrets: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(secrets).map(([name, value]) => [name, value.includes('BEGIN') ? value : `${value}x`]),
  )
}
