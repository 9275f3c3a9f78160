/** The sandbox's shipments as they are shown: each line's answers at chosen moments, read and folded in order. */

import { answer } from '../../sandbox/answer.ts'
import type { Shipment } from '../../sandbox/shipment.ts'
import type { World } from '../../sandbox/world.ts'
import { openDcsaSource } from '../../src/connectors/dcsa/dcsa-source.ts'
import type { DcsaProfile } from '../../src/connectors/dcsa/profile.ts'
import { sandboxProfile } from '../../src/connectors/dcsa/profiles/sandbox.ts'
import { isKeyOf, type PollRequest } from '../../src/connectors/source.ts'
import { projectShipment } from '../../src/domain/shipment/shipment.ts'
import { reconcileClaims } from '../../src/domain/statements/claims.ts'
import type { Claim } from '../../src/domain/statements/observation.ts'
import type { ShipmentProjection } from '../../src/domain/view/projection.ts'
import { defaultProjectionRules } from '../../src/domain/view/projection-rules.ts'
import { rampAreaOf } from '../../src/reference/ramps.ts'

const parameters = {
  bill_of_lading: 'transportDocumentReference',
  booking: 'carrierBookingReference',
  container: 'equipmentReference',
} as const
const source = openDcsaSource()

/** What is shown of a shipment after each poll, at these moments of sandbox time; nothing while the line knows nothing. */
export function follow(world: World, shipment: Shipment, moments: readonly number[]): readonly ShipmentProjection[] {
  const { line } = shipment
  const profile = sandboxProfile(line.scac, 'http://sandbox')
  const [kind = 'container'] = line.kinds
  const number = { bill_of_lading: shipment.bill, booking: shipment.booking, container: '' }[kind]
  const request: PollRequest = { scac: line.scac, kind, number: number || (shipment.boxes[0]?.number ?? '') }
  if (profile === null || request.number === '') return []
  let claims: readonly Claim[] = []
  let missingBefore: readonly string[] = []
  const shown: ShipmentProjection[] = []
  for (const moment of moments) {
    const now = new Date(moment).toISOString()
    const reading = read(world, shipment, { request, profile, moment })
    if (reading.outcome !== 'found') continue
    const speaker = { kind: 'shipping_line', code: line.scac } as const
    const { add, retire, missing } = reconcileClaims(claims, reading.observations, {
      source: speaker,
      isFullPicture: reading.statedFullPicture,
      missingBefore,
      isWithdrawn: (key) => reading.withdrawn.some((id) => isKeyOf(id, key)),
    })
    missingBefore = missing
    const added = add.map((observation, index): Claim => {
      const id = `${now} ${String(index).padStart(4, '0')}`
      return {
        id,
        source: speaker,
        observation,
        readAt: now,
        recordedAt: now,
        standsAt: now,
        hand: 'first',
        deliveryKey: null,
        retiredAt: null,
      }
    })
    claims = [...claims.filter(({ id }) => !retire.includes(id)), ...added]
    shown.push(
      projectShipment({
        claims,
        line: { scac: line.scac, isAverageWeight: false },
        request,
        now,
        previous: shown.at(-1) ?? null,
        rules: defaultProjectionRules,
        areaOf: rampAreaOf,
      }),
    )
  }
  return shown
}

function read(
  world: World,
  { line }: Shipment,
  asked: { readonly request: PollRequest; readonly profile: DcsaProfile; readonly moment: number },
) {
  const { request, profile, moment } = asked
  const url = new URL(`http://sandbox/${line.scac}/v2/events?limit=1000`)
  url.searchParams.set(parameters[request.kind], request.number)
  const { status, headers, body } = answer(world, line, url, moment)
  const contentType = headers['content-type'] ?? headers['Content-Type'] ?? 'application/json'
  const fetchedAt = new Date(moment).toISOString()
  return source.read({ status, contentType, body: Buffer.from(body), fetchedAt }, request, profile)
}
