/** The bill and booking numbers, and the ports and places of the transport, as the notice names them. */

import { nowhere, type ObservedPlace } from '../../domain/statements/observation.ts'
import { type JsonNode, readObject, readText } from '../dcsa/json-node.ts'
import { readPlace } from '../dcsa/place.ts'
import { listContainerNumbers, type NoticeContext, type NoticeFact } from './notice-facts.ts'

export function readPorts(context: NoticeContext): readonly NoticeFact[] {
  const { issues, transport, head } = context
  const numbers: readonly NoticeFact[] = [
    { fact: 'bill_of_lading_number', value: head.bill, equipment: null, which: head.bill },
    ...head.bookings.map(
      (number) => ({ fact: 'booking_number', value: number, equipment: null, which: number }) as const,
    ),
  ]
  const places = (
    [
      ['port_of_loading', 'portOfLoading'],
      ['port_of_discharge', 'portOfDischarge'],
      ['place_of_delivery', 'placeOfDelivery'],
    ] as const
  ).flatMap(([fact, field]): NoticeFact[] => {
    const value = readNoticePlace(readObject(transport, field, issues), context)
    return value.unlocode === null ? [] : listContainerNumbers(head).map((equipment) => ({ fact, value, equipment }))
  })
  return [...numbers, ...places, ...readInbond(context)]
}

/** US only: the number of an in-bond entry, under which cargo moves on before customs has cleared it. */
function readInbond({ issues, whole, head }: NoticeContext): readonly NoticeFact[] {
  const clearance = readObject(whole, 'customsClearance', issues)
  const entry = readObject(clearance, 'immediateTransportationEntry', issues)
  const number = entry === null ? null : readText(entry, 'ITNumber', issues)
  return number === null
    ? []
    : listContainerNumbers(head).map((equipment) => ({ fact: 'it_number', value: number, equipment }))
}

export function readNoticePlace(location: JsonNode | null, context: NoticeContext): ObservedPlace {
  if (location === null) return nowhere
  return readPlace({ eventLocation: location, callLocation: null, call: null }, { ...context, mode: null })
}
