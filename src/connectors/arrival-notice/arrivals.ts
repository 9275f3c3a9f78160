/**
 * When the ship arrives at the port of discharge and the goods at an inland place of delivery: a day, planned or
 * actual.
 */

import type { EventObservation, ObservedPlace } from '../../domain/statements/observation.ts'
import { isOneOf, type TransportMode, transportModes } from '../../domain/values/codes.ts'
import { codeFor } from '../dcsa/codes.ts'
import { type JsonNode, readFirstText, readObject, readObjects, readText } from '../dcsa/json-node.ts'
import type { MemberName } from '../dcsa/names.ts'
import { readVessel } from '../dcsa/vessel.ts'
import { listContainerNumbers, makeStatementKey, type NoticeContext } from './notice-facts.ts'
import { readNoticePlace } from './ports.ts'
import { readClassifiedTime } from './times.ts'

export function readArrivals(context: NoticeContext): readonly EventObservation[] {
  const { issues, transport } = context
  const legs = readObjects(transport, 'legs', issues).map((node) => readLeg(node, context))
  const port = readNoticePlace(readObject(transport, 'portOfDischarge', issues), context)
  const end = readNoticePlace(readObject(transport, 'placeOfDelivery', issues), context)
  const ship = legs.find((leg) => leg.mode === 'VESSEL' && isSameUnlocode(leg.to, port)) ?? onlyShipOf(legs)
  const onward = legs.find((leg) => leg.mode !== null && leg.mode !== 'VESSEL' && isSameUnlocode(leg.to, end))
  return [
    ...arrivalAt(transport, { field: 'portOfDischargeArrivalDate', place: port, by: ship, mode: 'VESSEL' }, context),
    // Without a mode of transport it is unknown what arrives there.
    ...(onward === undefined || isSameUnlocode(end, port)
      ? []
      : arrivalAt(
          transport,
          { field: 'placeOfDeliveryArrivalDate', place: end, by: undefined, mode: onward.mode },
          context,
        )),
  ]
}

interface Leg {
  readonly to: ObservedPlace
  readonly mode: TransportMode | null
  readonly vessel: JsonNode | null
}

function readLeg(node: JsonNode, context: NoticeContext): Leg {
  const { issues, profile } = context
  const vessel = readObject(node, 'vesselVoyage', issues)
  const rawMode = readText(node, 'modeOfTransport', issues)
  const mode = rawMode === null ? null : codeFor('mode', rawMode, profile.enumAliases)
  const to = readNoticePlace(readObject(node, 'dischargeLocation', issues), context)
  return { to, mode: isOneOf(transportModes, mode) ? mode : null, vessel }
}

function isSameUnlocode(a: ObservedPlace, b: ObservedPlace): boolean {
  return a.unlocode !== null && a.unlocode === b.unlocode
}

/** The only ship of the transport, if its leg does not state where it ends. */
function onlyShipOf(legs: readonly Leg[]): Leg | undefined {
  const [only, ...others] = legs.filter(({ vessel, mode }) => vessel !== null && (mode ?? 'VESSEL') === 'VESSEL')
  return others.length === 0 && only?.to.unlocode === null ? only : undefined
}

interface Arrival {
  readonly field: MemberName
  readonly place: ObservedPlace
  readonly by: Leg | undefined
  readonly mode: TransportMode | null
}

function arrivalAt(
  transport: JsonNode | null,
  { field, place, by, mode }: Arrival,
  context: NoticeContext,
): readonly EventObservation[] {
  const { issues, head } = context
  const arrivalTime = readClassifiedTime(transport, field, context)
  if (arrivalTime === null) return []
  const at = { path: `${transport?.path ?? ''}/${field}`, lost: 'event' } as const
  const { classifier } = arrivalTime
  if (classifier === null || (place.unlocode === null && place.name === null)) {
    issues.add('missing_field', at, `the arrival has no ${classifier === null ? 'classifier' : 'place'}`)
    return []
  }
  const vessel = by === undefined ? null : readVessel(by.vessel, context)
  const voyage =
    by?.vessel == null
      ? null
      : readFirstText(by.vessel, ['carrierImportVoyageNumber', 'carrierExportVoyageNumber'], issues)
  return listContainerNumbers(head).map((equipment) => ({
    kind: 'event',
    key: makeStatementKey(head, `${classifier} ARRI ${place.unlocode ?? '-'}`, equipment),
    equipment,
    statedAt: head.issuedAt,
    isRetracted: false,
    classifier,
    code: 'ARRI',
    load: null,
    mode,
    time: arrivalTime.time,
    place,
    vessel,
    voyage,
    callId: null,
    callSequence: null,
    original: field,
  }))
}
