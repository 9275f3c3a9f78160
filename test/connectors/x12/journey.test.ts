// The result for an import whose data comes only in X12: from its line, from the terminal, from the railway.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeMilestone } from '../../../src/domain/notation/notation.ts'
import { projectShipment } from '../../../src/domain/shipment/shipment.ts'
import { reconcileClaims } from '../../../src/domain/statements/claims.ts'
import type { Claim, Source } from '../../../src/domain/statements/observation.ts'
import type { ShipmentProjection } from '../../../src/domain/view/projection.ts'
import { defaultProjectionRules } from '../../../src/domain/view/projection-rules.ts'
import { rampAreaOf } from '../../../src/reference/ramps.ts'
import { interchange, readPart, x12 } from './fixtures.ts'

const sources = {
  line: { kind: 'shipping_line', code: 'HLCU' },
  terminal: { kind: 'terminal', code: 'Y258' },
  rail: { kind: 'rail', code: 'BNSF' },
} as const satisfies Record<string, Source>

type Message = readonly [by: keyof typeof sources, ...segments: string[]]

/** Each message read on its own, a day after the one before. */
function tell(messages: readonly Message[]): ShipmentProjection {
  let claims: readonly Claim[] = []
  let projection: ShipmentProjection | null = null
  for (const [index, [by, ...segments]] of messages.entries()) {
    const now = new Date(Date.UTC(2026, 2, 1 + index)).toISOString()
    const source = sources[by]
    const delivery = interchange([by === 'rail' ? '322' : '315', ...segments])
    for (const part of x12.splitDelivery(delivery, {}).parts) {
      const { observations } = readPart(part, { speaker: source.kind })
      const { add, retire } = reconcileClaims(claims, observations, {
        source,
        isFullPicture: false,
        missingBefore: [],
      })
      const added = add.map((observation, ordinal) => ({
        id: `${now} ${String(ordinal).padStart(3, '0')}`,
        source,
        observation,
        readAt: now,
        recordedAt: now,
        standsAt: now,
        hand: 'first' as const,
        deliveryKey: null,
        retiredAt: null,
      }))
      claims = [...claims.filter(({ id }) => !retire.includes(id)), ...added]
    }
    const request = { kind: 'bill_of_lading', number: 'HLCUNGB260101' } as const
    const line = { scac: 'HLCU', isAverageWeight: false }
    projection = projectShipment({
      claims,
      line,
      request,
      now,
      previous: projection,
      rules: defaultProjectionRules,
      areaOf: rampAreaOf,
    })
  }
  assert.ok(projection)
  return projection
}

const container = 'TCNU*123456'
const bill = 'N9*BM*HLCUNGB260101'
const ship = 'Q2*9321483********012E***L*KING OF THE SEAS'
const ports = ['R4*L*UN*CNNGB*NINGBO*CN', 'R4*D*UN*USLAX*LOS ANGELES*US']
const b4 = (code: string, at: string, load = 'L') => `B4***${code}*${at.replace(' ', '*')}**${container}*${load}*45G1`
const at = (unlocode: string) => `R4*5*UN*${unlocode}**${unlocode.slice(0, 2)}`
const train = (code: string, when: string, where: string): Message => [
  'rail',
  `Q5*${code}*${when.replace(' ', '*')}*LT`,
  'N7*TCNU*123456*********CN',
  'W2*TCNU*123456**CC*L',
  at(where),
  'R4*6*UN*USLAX**US',
  'R4*7*UN*USCHI**US',
  bill,
]

const toPort: readonly Message[] = [
  ['line', b4('EE', '20260102 0100', 'E'), bill, ...ports, at('CNNGB')],
  ['line', b4('I', '20260104 0330'), bill, ...ports, at('CNNGB')],
  ['line', b4('AE', '20260106 1430'), bill, ship, ...ports, 'DTM*371*20260122*1600*LT', at('CNNGB')],
  ['line', b4('VD', '20260107 0100'), bill, ship, ...ports, at('CNNGB')],
  ['line', b4('VA', '20260122 1810'), bill, ship, ...ports, at('USLAX')],
  ['line', b4('UV', '20260123 0900'), bill, ship, ...ports, at('USLAX')],
]

function milestones({ containers }: ShipmentProjection): readonly string[] {
  return (containers[0]?.milestones ?? []).map((each) => writeMilestone(each).replace(/ \(.*/, ''))
}

test('a line’s 315s alone give an import from the empty gate-out to the return', () => {
  const projection = tell([
    ...toPort,
    ['line', b4('OA', '20260125 1000'), bill, ...ports, at('USLAX')],
    ['line', b4('RD', '20260130 1000', 'E'), bill, ...ports, at('USLAX')],
  ])
  assert.deepEqual(milestones(projection), [
    'ACT empty_out CNNGB 2026-01-02T01:00',
    'ACT full_in CNNGB 2026-01-04T03:30',
    'ACT vessel_loaded CNNGB 2026-01-06T14:30',
    'ACT vessel_departed CNNGB 2026-01-07T01:00',
    'ACT vessel_arrived USLAX 2026-01-22T18:10',
    'ACT vessel_discharged USLAX 2026-01-23T09:00',
    'ACT full_out USLAX 2026-01-25T10:00',
    'ACT empty_in USLAX 2026-01-30T10:00',
  ])
  assert.equal(projection.containers[0]?.number, 'TCNU1234565')
})

test('an expected arrival is an estimate, and a second estimate replaces the first', () => {
  const estimate = (date: string): Message => [
    'line',
    b4('E', '20260110 0800'),
    bill,
    ...ports,
    `DTM*371*${date}*1600*LT`,
  ]
  const { podEta } = tell([...toPort.slice(0, 4), estimate('20260122'), estimate('20260125')])
  assert.equal(JSON.stringify(podEta).includes('2026-01-25T16:00'), true, JSON.stringify(podEta))
})

test('a railway’s 322s continue the journey to its inland destination', () => {
  const projection = tell([
    ...toPort,
    train('AL', '20260125 0700', 'USLAX'),
    train('RL', '20260125 2300', 'USLAX'),
    train('A', '20260127 0500', 'USKCK'),
    train('A', '20260128 0500', 'USCHI'),
    train('UR', '20260128 0900', 'USCHI'),
    train('NT', '20260128 1100', 'USCHI'),
    train('OA', '20260129 1500', 'USCHI'),
  ])
  assert.deepEqual(milestones(projection).slice(6), [
    'ACT rail_loaded USLAX 2026-01-25T07:00',
    'ACT rail_departed USLAX 2026-01-25T23:00',
    'ACT rail_arrived USCHI 2026-01-28T05:00',
    'ACT arrived_at_inland_destination USCHI 2026-01-28T05:00',
    'ACT rail_unloaded USCHI 2026-01-28T09:00',
    'ACT available USCHI 2026-01-28T11:00',
    'ACT full_out USCHI 2026-01-29T15:00',
  ])
})

test('the last of a terminal’s statements decides whether a container is available', () => {
  const says = (code: string, when: string): Message => ['terminal', b4(code, when), bill, at('USLAX')]
  const available = (...messages: readonly Message[]) => tell([...toPort, ...messages]).containers[0]?.available
  assert.equal(available(says('AV', '20260124 0800')), true)
  assert.equal(available(says('AV', '20260124 0800'), says('DN', '20260124 1200')), false)
  assert.equal(available(says('AV', '20260124 0800'), says('DN', '20260124 1200'), says('AV', '20260125 0800')), true)
})
