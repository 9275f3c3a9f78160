/** The bill and booking numbers, and the ports and places of the transport, as the notice names them. */

import { nowhere, type ObservedPlace } from '../../core/statements/observation.ts'
import { type Part, readPart, readText } from '../dcsa/part.ts'
import { readPlace } from '../dcsa/place.ts'
import { eachBox, type NoticeContext, type Said } from './said.ts'

export function readPorts(context: NoticeContext): readonly Said[] {
  const { issues, transport, head } = context
  const numbers: readonly Said[] = [
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
  ).flatMap(([fact, field]): Said[] => {
    const value = placeAt(readPart(transport, field, issues), context)
    return value.unlocode === null ? [] : eachBox(head).map((equipment) => ({ fact, value, equipment }))
  })
  return [...numbers, ...places, ...readInbond(context)]
}

/** US only: the number of an in-bond entry, under which cargo moves on before customs has cleared it. */
function readInbond({ issues, whole, head }: NoticeContext): readonly Said[] {
  const clearance = readPart(whole, 'customsClearance', issues)
  const entry = readPart(clearance, 'immediateTransportationEntry', issues)
  const number = entry === null ? null : readText(entry, 'ITNumber', issues)
  return number === null
    ? []
    : eachBox(head).map((equipment) => ({ fact: 'it_number', value: number, equipment }))
}

export function placeAt(location: Part | null, context: NoticeContext): ObservedPlace {
  if (location === null) return nowhere
  return readPlace({ eventLocation: location, callLocation: null, call: null }, { ...context, mode: null })
}
