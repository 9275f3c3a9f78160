/** What an arrival notice prints of a step of a journey, as it is read from the paper. */

import type { Observation } from '../../src/core/statements/observation.ts'
import type { EventTime } from '../../src/core/values/time.ts'
import { numbersSaid } from '../../src/sources/documents/said/numbers.ts'
import { type SaidField, writeWord } from '../../src/sources/documents/said/word.ts'
import { sampleBill, sampleBooking, sampleBox } from './journeys.ts'

export const sampleDocument = '0193b1a2-0000-7000-8000-000000000001'

export function writeDocument({
  known,
  number,
  at,
}: {
  readonly known: readonly Observation[]
  readonly number: number
  readonly at: string
}): readonly Buffer[] {
  const values = {
    transportDocumentReference: sampleBill,
    carrierBookingReference: sampleBooking,
    'containers[0].number': sampleBox,
    ...Object.assign({}, ...known.map(printed)),
  }
  const fields = Object.entries(values).map(([name, value]): SaidField => {
    const place = { page: 1, box: { left: 0.1, top: 0.1, right: 0.3, bottom: 0.12 } }
    return {
      name,
      value: value as SaidField['value'],
      text: String(value),
      confidence: 1,
      ...place,
      by: 'read',
    }
  })
  const paper = { type: 'arrival_notice', fields } as const
  const of = { document: sampleDocument, version: number, receivedAt: at, after: null, at, person: null }
  return [writeWord({ ...of, ...paper, numbers: numbersSaid(paper), earlier: [] })]
}

/** Fields by their names, for what a paper has a place for. */
function printed(said: Observation): Readonly<Record<string, unknown>> {
  if (said.kind === 'event') return said.classifier === 'ACT' ? {} : foretold(said)
  switch (said.fact) {
    case 'size_type':
      return { 'containers[0].sizeType': said.value }
    case 'seal_number':
      return { 'containers[0].sealNumbers[0]': said.value }
    case 'weight_kg':
      return { 'containers[0].grossWeightKg': said.value }
    case 'port_of_loading':
      return { 'portOfLoading.UNLocationCode': said.value.unlocode ?? '' }
    case 'port_of_discharge':
      return { 'portOfDischarge.UNLocationCode': said.value.unlocode ?? '' }
    case 'pod_terminal':
      return { 'pickupLocation.firmsCode': said.value.facilityCode ?? '' }
    case 'pickup_lfd_line':
      return { 'freeTimes[0].typeCodes[0]': 'DEM', 'freeTimes[0].lastFreeDate': textOf(said.value) }
    case 'pickup_lfd_terminal':
      return { 'freeTimes[1].statedBy': 'terminal', 'freeTimes[1].lastFreeDate': textOf(said.value) }
    case 'pickup_lfd_rail':
      return { 'freeTimes[2].statedBy': 'rail', 'freeTimes[2].lastFreeDate': textOf(said.value) }
    case 'hold':
      return said.value.name === 'customs' ? { isCustomsReleased: said.value.status === 'released' } : {}
    default:
      return {}
  }
}

function foretold({
  code,
  mode,
  time,
  vessel,
  voyage,
}: Extract<Observation, { kind: 'event' }>): Readonly<Record<string, unknown>> {
  if (mode !== 'VESSEL' || (code !== 'ARRI' && code !== 'DEPA')) return {}
  const name = code === 'ARRI' ? 'portOfDischargeArrivalDate' : 'departureDate'
  return {
    [`${name}.value`]: textOf(time),
    ...(vessel?.name != null && { vesselName: vessel.name }),
    ...(vessel?.imo != null && { vesselIMONumber: vessel.imo }),
    ...(voyage !== null && { voyageNumber: voyage }),
  }
}

/** A paper prints days. */
function textOf(time: EventTime): string {
  if (time.kind === 'day') return time.on
  return (time.kind === 'local' ? time.local : time.at).slice(0, 10)
}
