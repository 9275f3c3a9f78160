// Recording how a projection was derived does not change the projection, and every value that was read has its winning
// claim on record.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseJourneyLine } from '../../../src/domain/notation/notation.ts'
import { containerVerdicts } from '../../../src/domain/provenance/explain-container.ts'
import { leadOf, shipmentVerdicts } from '../../../src/domain/provenance/explain-shipment.ts'
import type { ContainerDerivation } from '../../../src/domain/shipment/container-derivation.ts'
import { projectShipment } from '../../../src/domain/shipment/shipment.ts'
import type { Claim } from '../../../src/domain/statements/observation.ts'
import type { ContainerProjection } from '../../../src/domain/view/projection.ts'
import { defaultProjectionRules } from '../../../src/domain/view/projection-rules.ts'
import { rampAreaOf } from '../../../src/reference/ramps.ts'

function claim(line: string, id: number): Claim {
  const read = parseJourneyLine(line, { equipment: 'LDFU1000018' })
  if (read.kind !== 'said') assert.fail(`${line}: ${JSON.stringify(read)}`)
  const at = `2026-02-0${id}T00:00:00Z`
  return {
    id: `c${id}`,
    source: read.source,
    observation: { ...read.observation, key: `k${id}` },
    readAt: at,
    recordedAt: at,
    standsAt: at,
    hand: 'first',
    deliveryKey: null,
    retiredAt: null,
  }
}

const claims = [
  'ACT LOAD LADEN CNNGB 2026-01-06T14:30Z carrier:EGLV',
  'ACT DEPA LADEN CNNGB 2026-01-07T14:30Z carrier:EGLV',
  'EST ARRI LADEN USLAX 2026-01-29T08:00Z carrier:EGLV',
  'EST ARRI LADEN USLAX 2026-02-02T08:00Z carrier:EGLV',
  'PLN ARRI LADEN USLAX 2026-01-20T08:00Z carrier:EGLV',
].map((line, index) => claim(line, index + 1))

const input = {
  claims,
  line: { scac: 'EGLV', isAverageWeight: false },
  request: { kind: 'bill_of_lading', number: 'EGLV1' },
  now: '2026-02-06T00:00:00Z',
  previous: null,
  rules: defaultProjectionRules,
  areaOf: rampAreaOf,
} as const

function record() {
  const boxes: ContainerDerivation[] = []
  let shown: ContainerProjection | null = null
  const projection = projectShipment({
    ...input,
    recorder: {
      container: (made) => void boxes.push(made),
      shipment: (made) => {
        shown = made.displayed
      },
    },
  })
  return { projection, boxes, lead: leadOf(boxes, shown) }
}

test('recording the derivation does not change the projection', () => {
  assert.deepEqual(record().projection, projectShipment(input))
})

test('explains why one estimate was chosen and why the other estimates were rejected', () => {
  const { lead, projection } = record()
  const verdict = shipmentVerdicts['pod_eta_at']?.({ facts: [], lead, lastEta: null })
  assert.equal(verdict?.winner?.id, 'c4')
  assert.deepEqual(projection.portOfDischarge.eta, { kind: 'instant', at: '2026-02-02T08:00:00.000Z' })
  assert.deepEqual(
    verdict?.losers.map(({ claim: { id }, why }) => [id, why]),
    [
      ['c5', 'an estimate counts for more than a plan'],
      ['c3', 'the later word'],
    ],
  )
})

test('explains each time of a container by its claim', () => {
  const { boxes } = record()
  const [box] = boxes
  assert.ok(box !== undefined)
  assert.equal(containerVerdicts['pol_vessel_loaded_at']?.(box).winner?.id, 'c1')
  assert.equal(containerVerdicts['pol_vessel_departed_at']?.(box).winner?.id, 'c2')
  assert.equal(containerVerdicts['pod_discharged_at']?.(box).winner, null)
  for (const [name, explain] of Object.entries(containerVerdicts)) assert.match(explain(box).rule, /\.$/, name)
})
