/**
 * Why a request waits or fails: each number with a simulated fault shows the reasons that the page of scenarios names,
 * first and at the end, during eight days of the service.
 */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { FAULT_KINDS, type FaultKind, faultBox } from '../../sandbox/faults.ts'
import { DAY, HOUR } from '../../sandbox/local-time.ts'
import { startSandbox } from '../../sandbox/server.ts'
import { sandboxProfile } from '../../src/connectors/dcsa/profiles/sandbox.ts'
import { faultReasons } from '../../tools/scenarios-page-text.ts'
import { openTestApi, type TestApi } from '../support/api.ts'
import { giveAccess } from '../support/service.ts'

const fromMs = Date.parse('2026-03-01T00:00:00Z')
const days = 9
/** One line for each: a line that fails repeatedly gets a cooldown for all its numbers. */
const lines = ['MAEU', 'MSCU', 'CMDU', 'HLCU', 'ONEY', 'OOLU', 'HDMU', 'WHLC', 'YMLU', 'ACLU', 'KMTU', 'ARKU', 'ZIMU']
/** A slow answer that takes longer than the timeout of the real clock. */
const kinds = FAULT_KINDS.filter((kind) => kind !== 'slow')

let worldMs = fromMs
let sandbox: Awaited<ReturnType<typeof startSandbox>>
let api: TestApi
let key: string
/** By request: the reasons that it showed, in their order. */
const shown = new Map<string, string[]>()
const asked = new Map<string, string>()

before(async () => {
  const epoch = fromMs - 60 * DAY
  sandbox = await startSandbox({ port: 0, host: '127.0.0.1', seed: 1, epoch, now: () => worldMs })
  api = await openTestApi({ startAt: new Date(fromMs).toISOString() })
  for (const scac of [...lines, 'PCIU'])
    await giveAccess(api, { scac, profile: { ...sandboxProfile(scac, sandbox.url) }, isSandbox: true })
  key = await api.newKey(await api.newAccount({ isSandbox: true }), ['read', 'write'])
  for (const [n, kind] of kinds.entries()) await ask(kind, `FAULT${kind.toUpperCase()}1`, lines[n] ?? '')
  for (const kind of boxKinds) await ask(`box ${kind}`, faultBox(kind), 'PCIU')
  await ask('auto', 'FAULTUNKNOWN0002', null)
  for (; worldMs < fromMs + days * DAY; worldMs += HOUR) {
    api.clock.set(worldMs)
    await api.drain()
    await note()
  }
})

const boxKinds = ['unknown', 'nodata'] as const satisfies readonly FaultKind[]

after(async () => {
  await api?.close()
  await sandbox?.close()
})

for (const kind of kinds)
  test(`the sandbox number FAULT${kind.toUpperCase()}1 shows ${faultReasons[kind].join(', then ')}`, () => {
    assert.deepEqual(reasonsOf(kind), faultReasons[kind])
  })

test('a request for a container that its line does not know fails at once', () => {
  assert.deepEqual(reasonsOf('box unknown'), ['not_found'])
  assert.deepEqual(reasonsOf('box nodata'), ['data_unavailable'])
})

test('a number without a line fails if no line knows it', () => {
  assert.deepEqual(reasonsOf('auto'), ['scac_auto_detect_failed'])
})

async function ask(name: string, number: string, scac: string | null): Promise<void> {
  const attributes = {
    request_type: number.startsWith('FLTU') ? 'container' : 'bill_of_lading',
    request_number: number,
    ...(scac === null ? { auto_detect_vocc_scac: true } : { scac }),
  }
  const body = { data: { type: 'tracking_request', attributes } }
  const made = await api.call({ method: 'POST', url: '/v2/tracking_requests', key, body })
  assert.equal(made.status, 201, `${number}: ${made.text}`)
  asked.set(name, made.one().id)
}

async function note(): Promise<void> {
  for (const id of asked.values()) {
    const { failed_reason: reason } = (await api.call({ url: `/v2/tracking_requests/${id}`, key })).one().attributes
    const reasons = shown.get(id) ?? []
    shown.set(id, reasons)
    if (reason !== null && reasons.at(-1) !== reason) reasons.push(String(reason))
  }
}

function reasonsOf(name: string): readonly string[] {
  return shown.get(asked.get(name) ?? '') ?? []
}
