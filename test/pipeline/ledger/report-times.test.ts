// When a terminal or a railway last reported a container: stored with it, only for its last trip, also if the
// statements are withdrawn later.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Claim } from '../../../src/domain/statements/observation.ts'
import type { ContainerProjection } from '../../../src/domain/view/projection.ts'
import { foldBy } from '../../../src/pipeline/ledger/fold.ts'
import { rebuildProjections } from '../../../src/pipeline/ledger/rebuild-projections.ts'
import {
  findLastReportTime,
  findTerminalReportTime,
  recordReportTimes,
} from '../../../src/pipeline/ledger/report-times.ts'
import { readRules } from '../../../src/pipeline/ledger/rules.ts'
import { findTerminal } from '../../../src/reference/terminals.ts'
import { box, journey } from '../../support/tracking-harness.ts'
import { openIntake } from '../ingestion/ingestion-harness.ts'

const bill = 'HLCUSHA260100056'

const stated = (kind: 'terminal' | 'rail' | 'shipping_line', code: string, standsAt: string) =>
  ({ source: { kind, code }, standsAt, observation: { equipment: 'MSCU1234566' } }) as Claim
const of = (trip: number, heardAt?: ContainerProjection['heardAt']) =>
  ({ number: 'MSCU1234566', trip, ...(heardAt !== undefined && { heardAt }) }) as const

test('the newest statement of a terminal or railway sets the report time, in any order of receipt', () => {
  const boxes = [of(1)]
  const earlier = recordReportTimes(boxes, [stated('terminal', 'W185', '2026-02-02T00:00:00.000Z')])
  const claims = [
    stated('terminal', 'W185', '2026-02-01T00:00:00.000Z'),
    stated('shipping_line', 'HLCU', '2026-02-09T00:00:00.000Z'),
  ]
  assert.equal(recordReportTimes(earlier, claims), earlier)
  assert.deepEqual(earlier[0]?.heardAt, { terminal: { W185: '2026-02-02T00:00:00.000Z' } })
  assert.equal(recordReportTimes(boxes, []), boxes)
  const [first] = boxes
  assert.equal(first === undefined ? '' : findLastReportTime('terminal', first), null)
})

test('a new trip does not inherit the report times of the trip before it', () => {
  const claims = [stated('rail', 'BNSF', '2026-02-02T00:00:00.000Z')]
  const trips = [...recordReportTimes([of(1)], claims), of(2)]
  assert.equal(recordReportTimes(trips, claims), trips)
  const [first, second] = recordReportTimes(trips, [stated('rail', 'BNSF', '2026-03-02T00:00:00.000Z')])
  assert.equal(first === undefined ? '' : findLastReportTime('rail', first), '2026-02-02T00:00:00.000Z')
  assert.equal(second === undefined ? '' : findLastReportTime('rail', second), '2026-03-02T00:00:00.000Z')
})

test('recognises the terminal at the port of discharge by any of its codes, and no other terminal', () => {
  const terminal = findTerminal({ provider: 'FIRMS', code: 'Y258' })
  assert.ok(terminal)
  const place = { unlocode: 'USLAX', facilityType: null, facilityCode: null, name: null, timeZone: null }
  const podTerminal = { ...place, terminalId: terminal.id }
  const heardAt = {
    terminal: { [terminal.firmsCode ?? '']: '2026-02-02T00:00:00.000Z', W185: '2026-02-05T00:00:00.000Z' },
  }
  assert.equal(findTerminalReportTime({ heardAt, podTerminal }), '2026-02-02T00:00:00.000Z')
  assert.equal(findTerminalReportTime({ heardAt, podTerminal: null }), null)
})

test('a message of an operator with several terminals counts only for the terminal that the message names', () => {
  const [here, there] = ['W185', 'Y258'].map((code) => findTerminal({ provider: 'FIRMS', code }))
  assert.ok(here && there)
  const place = { unlocode: 'USLAX', facilityType: null, facilityCode: null, name: null, timeZone: null }
  const podTerminal = { ...place, terminalId: here.id }
  const plain = stated('terminal', 'APMT', '2026-02-02T00:00:00.000Z')
  const value = { kind: 'fact', fact: 'pod_terminal', value: podTerminal, equipment: of(1).number }
  const [box] = recordReportTimes([of(1)], [plain, { ...plain, observation: value } as Claim])
  const heardAt = box?.heardAt ?? assert.fail()
  assert.equal(findTerminalReportTime({ heardAt, podTerminal }), '2026-02-02T00:00:00.000Z')
  assert.equal(findTerminalReportTime({ heardAt, podTerminal: { ...place, terminalId: there.id } }), null)
})

test('records a repeated statement without an event, and a rebuild restores it', async (t) => {
  const stage = await openIntake(t, { startAt: '2026-02-01T12:00:00Z' })
  const speaker = { kind: 'terminal', code: 'W185' } as const
  await stage.open({ name: 'pier', source: 'statements', profile: {}, speaker })
  stage.carrier.answers({ json: journey(bill, 'sailed') })
  await stage.track(bill)
  await stage.drain()
  const heardAt = async () => {
    const [row] = await stage.rows<{ projection: ContainerProjection }>('select projection from containers')
    return row === undefined ? null : findLastReportTime('terminal', row.projection)
  }
  assert.equal(await heardAt(), null)
  const says = { container: box, bill, says: 'seal_number', value: 'A1' }
  const send = async (id: string) => {
    stage.clock.advance(3_600_000)
    const taken = await stage.send('pier', { ...says, id })
    assert.deepEqual(
      taken.items.map(({ result }) => result),
      ['accepted'],
    )
    await stage.drain()
  }
  await send('one')
  const [first, events] = [await heardAt(), (await stage.heard()).length]
  await send('two')
  const second = await heardAt()
  assert.ok(first !== null && second !== null && second > first, `${first} ${second}`)
  assert.equal((await stage.heard()).length, events)
  const quietly = { repair: false, differencesMax: 20, progress: () => {} }
  const { differences } = await rebuildProjections(stage.service, foldBy(readRules(stage.service.config)), quietly)
  assert.deepEqual(differences, [])
})
