// When a terminal or a railway last reported a box: stored with the box, only for its last trip, also if the statements
// are withdrawn later.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ContainerProjection } from '../../../src/core/shown/projection.ts'
import type { Claim } from '../../../src/core/statements/observation.ts'
import { findTerminal } from '../../../src/reference/terminals.ts'
import { foldBy } from '../../../src/service/ledger/fold.ts'
import { heardOf, heardOfPodTerminal, noteHeard } from '../../../src/service/ledger/last-heard.ts'
import { rebuild } from '../../../src/service/ledger/rebuild.ts'
import { readRules } from '../../../src/service/ledger/rules.ts'
import { box, journey } from '../tracking-harness.ts'
import { openIntake } from './intake-harness.ts'

const bill = 'HLCUSHA260100056'

const said = (kind: 'terminal' | 'rail' | 'shipping_line', code: string, standsAt: string) =>
  ({ source: { kind, code }, standsAt, observation: { equipment: 'MSCU1234566' } }) as Claim
const of = (trip: number, heardAt?: ContainerProjection['heardAt']) =>
  ({ number: 'MSCU1234566', trip, ...(heardAt !== undefined && { heardAt }) }) as const

test('the newest statement counts, in whatever order they come; those of the line do not count here', () => {
  const boxes = [of(1)]
  const earlier = noteHeard(boxes, [said('terminal', 'W185', '2026-02-02T00:00:00.000Z')])
  const claims = [
    said('terminal', 'W185', '2026-02-01T00:00:00.000Z'),
    said('shipping_line', 'HLCU', '2026-02-09T00:00:00.000Z'),
  ]
  assert.equal(noteHeard(earlier, claims), earlier)
  assert.deepEqual(earlier[0]?.heardAt, { terminal: { W185: '2026-02-02T00:00:00.000Z' } })
  assert.equal(noteHeard(boxes, []), boxes)
  const [first] = boxes
  assert.equal(first === undefined ? '' : heardOf('terminal', first), null)
})

test('a new trip begins without statements: earlier ones belong to the trip before', () => {
  const claims = [said('rail', 'BNSF', '2026-02-02T00:00:00.000Z')]
  const trips = [...noteHeard([of(1)], claims), of(2)]
  assert.equal(noteHeard(trips, claims), trips)
  const [first, second] = noteHeard(trips, [said('rail', 'BNSF', '2026-03-02T00:00:00.000Z')])
  assert.equal(first === undefined ? '' : heardOf('rail', first), '2026-02-02T00:00:00.000Z')
  assert.equal(second === undefined ? '' : heardOf('rail', second), '2026-03-02T00:00:00.000Z')
})

test('the terminal at the port of discharge is known by any of its codes, and no other is taken for it', () => {
  const terminal = findTerminal({ provider: 'FIRMS', code: 'Y258' })
  assert.ok(terminal)
  const place = { unlocode: 'USLAX', facilityType: null, facilityCode: null, name: null, timeZone: null }
  const podTerminal = { ...place, terminalId: terminal.id }
  const heardAt = {
    terminal: { [terminal.firmsCode ?? '']: '2026-02-02T00:00:00.000Z', W185: '2026-02-05T00:00:00.000Z' },
  }
  assert.equal(heardOfPodTerminal({ heardAt, podTerminal }), '2026-02-02T00:00:00.000Z')
  assert.equal(heardOfPodTerminal({ heardAt, podTerminal: null }), null)
})

test('a message of an operator of many terminals counts for the one that it names', () => {
  const [here, there] = ['W185', 'Y258'].map((code) => findTerminal({ provider: 'FIRMS', code }))
  assert.ok(here && there)
  const place = { unlocode: 'USLAX', facilityType: null, facilityCode: null, name: null, timeZone: null }
  const podTerminal = { ...place, terminalId: here.id }
  const plain = said('terminal', 'APMT', '2026-02-02T00:00:00.000Z')
  const value = { kind: 'fact', fact: 'pod_terminal', value: podTerminal, equipment: of(1).number }
  const [box] = noteHeard([of(1)], [plain, { ...plain, observation: value } as Claim])
  const heardAt = box?.heardAt ?? assert.fail()
  assert.equal(heardOfPodTerminal({ heardAt, podTerminal }), '2026-02-02T00:00:00.000Z')
  assert.equal(heardOfPodTerminal({ heardAt, podTerminal: { ...place, terminalId: there.id } }), null)
})

test('a statement that repeats a standing one is recorded, causes no event, and is rebuilt', async (t) => {
  const stage = await openIntake(t, { startAt: '2026-02-01T12:00:00Z' })
  const speaker = { kind: 'terminal', code: 'W185' } as const
  await stage.open({ name: 'pier', source: 'statements', profile: {}, speaker })
  stage.carrier.answers({ json: journey(bill, 'sailed') })
  await stage.track(bill)
  await stage.drain()
  const heardAt = async () => {
    const [row] = await stage.rows<{ projection: ContainerProjection }>('select projection from containers')
    return row === undefined ? null : heardOf('terminal', row.projection)
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
  const { differences } = await rebuild(stage.service, foldBy(readRules(stage.service.config)), quietly)
  assert.deepEqual(differences, [])
})
