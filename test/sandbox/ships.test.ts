// AIS positions of the sandbox's vessels: both feeds report the same, only about subscribed vessels,
// and not too often.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { type TestContext, test } from 'node:test'
import { WebSocket } from 'ws'
import { startSandbox } from '../../sandbox/server.ts'
import { underWay } from '../../sandbox/way.ts'
import { readAisStreamMessage, wholeWorld, writeSubscription } from '../../src/connectors/ais/aisstream-message.ts'
import { openNmeaReader } from '../../src/connectors/ais/nmea-reader.ts'
import type { AisReport } from '../../src/connectors/ais/report.ts'
import { eventually } from '../support/eventually.ts'

const epoch = Date.parse('2026-01-01T00:00:00Z')
const dayMs = 86_400_000

async function play(t: TestContext) {
  let now = epoch + 20 * dayMs
  const sandbox = await startSandbox({
    port: 0,
    host: '127.0.0.1',
    seed: 7,
    epoch,
    now: () => now,
    nmeaPort: 0,
  })
  t.after(() => sandbox.close())
  const numbers = (await (
    await fetch(`${sandbox.url}/sandbox/numbers?stage=sailing&kind=bill_of_lading&limit=5`)
  ).json()) as { scac: string; number: string }[]
  const ask = async ({ scac, number }: { scac: string; number: string }) =>
    fetch(`${sandbox.url}/${scac.toLowerCase()}/v2/events?transportDocumentReference=${number}`)
  return {
    sandbox,
    numbers,
    ask,
    set: (ms: number) => {
      now = ms
    },
    now: () => now,
  }
}

async function subscribe(t: TestContext, url: string, key = 'any') {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/sandbox/ais/v0/stream`)
  t.after(() => socket.terminate())
  await once(socket, 'open')
  const texts: string[] = []
  socket.on('message', (data) => texts.push(String(data)))
  socket.send(writeSubscription({ apiKey: key, boundingBoxes: [wholeWorld], mmsi: [] }))
  return { socket, texts }
}

const readings = (texts: readonly string[]): readonly AisReport[] =>
  texts.flatMap((text) => {
    const read = readAisStreamMessage(text, '2026-01-01T00:00:00.000Z')
    assert.equal(read.kind, 'report', text)
    return read.kind === 'report' ? [read.report] : []
  })

test('positions of a vessel are sent only if somebody subscribed to it', async (t) => {
  const { sandbox, numbers, ask } = await play(t)
  const { texts } = await subscribe(t, sandbox.url)
  sandbox.tick()
  sandbox.tick()
  assert.deepEqual(texts, [])
  const [number] = numbers
  assert.ok(number !== undefined)
  await ask(number)
  await eventually(() => {
    sandbox.tick()
    return texts.length >= 2
  })
  const [first, second] = readings(texts)
  assert.equal(first?.kind, 'identity', 'a ship says first who it is')
  assert.equal(second?.kind, 'position')
})

test('WebSocket and TCP send the same vessels at the same places and times', async (t) => {
  const { sandbox, numbers, ask, set, now } = await play(t)
  for (const number of numbers) await ask(number)
  const received: AisReport[] = []
  const reader = openNmeaReader({
    ingest: (report) => received.push(report),
    count: (issue) => assert.fail(issue),
  })
  const socket = connect(sandbox.nmeaPort ?? 0, '127.0.0.1')
  t.after(() => socket.destroy())
  socket.setEncoding('latin1')
  socket.on('data', (text) => reader.push(String(text), 0))
  await once(socket, 'connect')
  const { texts } = await subscribe(t, sandbox.url)
  await eventually(() => {
    set(now() + 3_600_000)
    sandbox.tick()
    return texts.length > 20 && received.length > 20
  })
  const keyOf = (report: AisReport): string => `${report.kind} ${report.mmsi} ${report.heardAt.slice(0, 19)}`
  const byTcp = new Map(received.map((report) => [keyOf(report), report]))
  let compared = 0
  for (const report of readings(texts)) {
    const other = byTcp.get(keyOf(report))
    if (report.kind !== 'position' || other?.kind !== 'position') continue
    assert.ok(Math.abs(report.latitude - other.latitude) < 1e-5 && Math.abs(report.longitude - other.longitude) < 1e-5)
    assert.ok(Math.abs(report.speedKnots - other.speedKnots) < 0.06)
    compared += 1
  }
  assert.ok(compared > 5)
})

test('a subscription without a key is refused', async (t) => {
  const { sandbox } = await play(t)
  const { socket, texts } = await subscribe(t, sandbox.url, '')
  await once(socket, 'close')
  assert.deepEqual(texts, ['{"error":"Api Key Is Not Valid"}'])
})

test('a vessel sails at thirty knots at most, and is in its port at the planned arrival', () => {
  const passage = { from: 'CNSHG', to: 'USLGB', departure: epoch, arrival: epoch + 14 * dayMs }
  for (let ship = 0; ship < 40; ship += 1) {
    const at = (ms: number) => underWay(`ship ${ship}`, passage, ms)
    for (let ms = passage.departure; ms < passage.arrival - 3_600_000; ms += 3_600_000) {
      assert.ok(at(ms).speedKnots <= 30, `${at(ms).speedKnots} knots`)
    }
    const end = at(passage.arrival)
    assert.ok(Math.abs(end.latitude - 33.77) < 0.2 && Math.abs(end.longitude + 118.2) < 0.2)
  }
})
