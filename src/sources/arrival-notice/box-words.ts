/**
 * What a notice says of each box: size, seal, weight, pick-up number and place, and where the empty box must be
 * returned.
 */

import type { ObservedPlace } from '../../core/statements/observation.ts'
import { readSeal, readSizeType } from '../dcsa/boxes.ts'
import { chooseSeal } from '../dcsa/facts.ts'
import { type Part, readPart, readParts, readText } from '../dcsa/part.ts'
import type { NoticeBox } from './head.ts'
import { placeAt } from './ports.ts'
import { eachBox, type NoticeContext, type Said } from './said.ts'
import { readClassified } from './times.ts'
import { readWeights } from './weights.ts'

export function readBoxWords(context: NoticeContext): readonly Said[] {
  const { issues, whole, transport, head } = context
  const weights = readWeights(context)
  const common = readFetching(whole, context)
  const port = placeAt(readPart(transport, 'portOfDischarge', issues), context)
  const generalOrder = readClassified(transport, 'generalOrderDateTime', context)
  const ofAll: readonly Said[] =
    generalOrder === null
      ? []
      : eachBox(head).map((equipment) => ({ fact: 'general_order_at', value: generalOrder.time, equipment }))
  if (head.boxes.length === 0) return [...ofAll, ...fetchingOf(common, null, port)]
  return [
    ...ofAll,
    ...head.boxes.flatMap((box): readonly Said[] => {
      const own = readFetching(box.part, context)
      const kg = weights.get(box.number)
      return [
        ...aboutBox(box, context),
        ...(kg === undefined ? [] : [{ fact: 'weight_kg', value: kg, equipment: box.number } as const]),
        // Data of the box itself have priority over data of the whole notice.
        ...fetchingOf(
          {
            pickupNumber: own.pickupNumber ?? common.pickupNumber,
            pickupPlace: own.pickupPlace ?? common.pickupPlace,
            returnPlace: own.returnPlace ?? common.returnPlace,
          },
          box.number,
          port,
        ),
      ]
    }),
  ]
}

function aboutBox({ number, part }: NoticeBox, { issues }: NoticeContext): readonly Said[] {
  const equipment = readPart(part, 'equipment', issues)
  const sizeType = equipment === null ? null : readSizeType(equipment, issues)
  const seal = chooseSeal(readParts(part, 'seals', issues).flatMap((each) => readSeal(each, issues)))
  return [
    ...(sizeType === null ? [] : [{ fact: 'size_type', value: sizeType, equipment: number } as const]),
    ...(seal === null ? [] : [{ fact: 'seal_number', value: seal, equipment: number } as const]),
  ]
}

interface Fetching {
  readonly pickupNumber: string | null
  readonly pickupPlace: ObservedPlace | null
  readonly returnPlace: ObservedPlace | null
}

function readFetching(part: Part, context: NoticeContext): Fetching {
  const { issues } = context
  const pickup = readPart(part, 'pickupInformation', issues)
  return {
    pickupNumber: pickup === null ? null : readText(pickup, 'pickupNumber', issues),
    pickupPlace: knownPlace(readPart(pickup, 'pickupLocation', issues), context),
    returnPlace: knownPlace(
      readPart(readPart(part, 'returnInformation', issues), 'returnLocation', issues),
      context,
    ),
  }
}

function knownPlace(location: Part | null, context: NoticeContext): ObservedPlace | null {
  const place = placeAt(location, context)
  return (place.unlocode ?? place.facilityCode ?? place.name) === null ? null : place
}

function fetchingOf(
  { pickupNumber, pickupPlace, returnPlace }: Fetching,
  equipment: string | null,
  port: ObservedPlace,
): readonly Said[] {
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
