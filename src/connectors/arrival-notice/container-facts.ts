/**
 * What a notice states about each container: size, seal, weight, pick-up number and place, and where the empty
 * container must be returned.
 */

import type { ObservedPlace } from '../../domain/statements/observation.ts'
import { readSeal, readSizeType } from '../dcsa/equipment.ts'
import { chooseSeal } from '../dcsa/facts.ts'
import { type JsonNode, readObject, readObjects, readText } from '../dcsa/json-node.ts'
import type { NoticeContainer } from './head.ts'
import { listContainerNumbers, type NoticeContext, type NoticeFact } from './notice-facts.ts'
import { readNoticePlace } from './ports.ts'
import { readClassifiedTime } from './times.ts'
import { readWeights } from './weights.ts'

export function readContainerFacts(context: NoticeContext): readonly NoticeFact[] {
  const { issues, whole, transport, head } = context
  const weights = readWeights(context)
  const common = readPickupDetails(whole, context)
  const port = readNoticePlace(readObject(transport, 'portOfDischarge', issues), context)
  const generalOrder = readClassifiedTime(transport, 'generalOrderDateTime', context)
  const ofAll: readonly NoticeFact[] =
    generalOrder === null
      ? []
      : listContainerNumbers(head).map((equipment) => ({
          fact: 'general_order_at',
          value: generalOrder.time,
          equipment,
        }))
  if (head.containers.length === 0) return [...ofAll, ...writePickupFacts(common, null, port)]
  return [
    ...ofAll,
    ...head.containers.flatMap((container): readonly NoticeFact[] => {
      const ownFetching = readPickupDetails(container.node, context)
      const kg = weights.get(container.number)
      return [
        ...readContainerDetails(container, context),
        ...(kg === undefined ? [] : [{ fact: 'weight_kg', value: kg, equipment: container.number } as const]),
        // Data of the container itself have priority over data of the whole notice.
        ...writePickupFacts(
          {
            pickupNumber: ownFetching.pickupNumber ?? common.pickupNumber,
            pickupPlace: ownFetching.pickupPlace ?? common.pickupPlace,
            returnPlace: ownFetching.returnPlace ?? common.returnPlace,
          },
          container.number,
          port,
        ),
      ]
    }),
  ]
}

function readContainerDetails({ number, node }: NoticeContainer, { issues }: NoticeContext): readonly NoticeFact[] {
  const equipment = readObject(node, 'equipment', issues)
  const sizeType = equipment === null ? null : readSizeType(equipment, issues)
  const seal = chooseSeal(readObjects(node, 'seals', issues).flatMap((each) => readSeal(each, issues)))
  return [
    ...(sizeType === null ? [] : [{ fact: 'size_type', value: sizeType, equipment: number } as const]),
    ...(seal === null ? [] : [{ fact: 'seal_number', value: seal, equipment: number } as const]),
  ]
}

interface PickupDetails {
  readonly pickupNumber: string | null
  readonly pickupPlace: ObservedPlace | null
  readonly returnPlace: ObservedPlace | null
}

function readPickupDetails(node: JsonNode, context: NoticeContext): PickupDetails {
  const { issues } = context
  const pickup = readObject(node, 'pickupInformation', issues)
  return {
    pickupNumber: pickup === null ? null : readText(pickup, 'pickupNumber', issues),
    pickupPlace: knownPlace(readObject(pickup, 'pickupLocation', issues), context),
    returnPlace: knownPlace(
      readObject(readObject(node, 'returnInformation', issues), 'returnLocation', issues),
      context,
    ),
  }
}

function knownPlace(location: JsonNode | null, context: NoticeContext): ObservedPlace | null {
  const place = readNoticePlace(location, context)
  return (place.unlocode ?? place.facilityCode ?? place.name) === null ? null : place
}

function writePickupFacts(
  { pickupNumber, pickupPlace, returnPlace }: PickupDetails,
  equipment: string | null,
  port: ObservedPlace,
): readonly NoticeFact[] {
  // A pick-up place inland is not a terminal of the port of discharge.
  const isAtPort = pickupPlace !== null && pickupPlace.unlocode === port.unlocode && port.unlocode !== null
  return [
    ...(pickupNumber === null ? [] : [{ fact: 'pickup_number', value: pickupNumber, equipment } as const]),
    ...(isAtPort && (pickupPlace.facilityCode !== null || pickupPlace.terminalId !== null)
      ? [{ fact: 'pod_terminal', value: pickupPlace, equipment } as const]
      : []),
    ...(returnPlace === null ? [] : [{ fact: 'empty_return_place', value: returnPlace, equipment } as const]),
  ]
}
