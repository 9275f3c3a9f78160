/** Synthetic samples: what is known about a bill before arrival, as a DCSA Arrival Notice 1.0. */

import {
  type Said,
  type SaidEvent,
  type SaidFactOf,
  type SaidName,
  type SaidPlace,
  type SaidTime,
  type SaidValues,
  writeTime,
} from './said.ts'

type Json = Readonly<Record<string, unknown>>

export interface NoticeOf {
  readonly bill: string
  readonly label: string
  readonly issuedAt: string
}

/**
 * One notice with all data that a notice can carry. Data that belong to the whole bill (ports, releases, the arrival)
 * are taken from the first observation that has them.
 */
export function writeArrivalNotice(observations: readonly Said[], { bill, label, issuedAt }: NoticeOf): Json {
  const boxes = [...new Set(observations.flatMap(({ equipment }) => (equipment === null ? [] : [equipment])))]
  const first = <Name extends SaidName>(name: Name): SaidValues[Name] | undefined =>
    factsOf(observations, name)[0]?.value as SaidValues[Name] | undefined
  const place = (name: 'port_of_loading' | 'port_of_discharge' | 'place_of_delivery') => writeLocation(first(name))
  const order = first('general_order_at')
  const entry = first('it_number')
  return given({
    issueDateTime: issuedAt,
    typeLabel: label,
    versionLabel: 'synthetic',
    transportDocumentReference: bill,
    releaseInformation: writeReleases(observations),
    customsClearance: entry && { immediateTransportationEntry: { ITNumber: entry } },
    transport: given({
      portOfLoading: place('port_of_loading'),
      portOfDischarge: place('port_of_discharge'),
      placeOfDelivery: place('place_of_delivery'),
      generalOrderDateTime: order && { value: writeTime(order) },
      ...writeArrival(observations),
    }),
    freeTimes: writeFreeTimes(observations),
    charges: writeCharges(observations, null),
    utilizedTransportEquipments: boxes.map((box) => writeBox(observations, box)),
    consignmentItems: writeCargo(observations),
  })
}

function factsOf<Name extends SaidName>(observations: readonly Said[], name: Name): readonly SaidFactOf<Name>[] {
  return observations.flatMap((each) =>
    each.kind === 'fact' && each.fact === name ? [each as unknown as SaidFactOf<Name>] : [],
  )
}

function writeBox(observations: readonly Said[], box: string): Json {
  const own = observations.filter(({ equipment }) => equipment === box)
  const seal = factsOf(own, 'seal_number')[0]?.value
  const pickup = factsOf(own, 'pickup_number')[0]?.value
  const back = writeLocation(factsOf(own, 'empty_return_place')[0]?.value)
  return given({
    equipment: given({ equipmentReference: box, ISOEquipmentCode: factsOf(own, 'size_type')[0]?.value }),
    seals: seal && [{ number: seal, source: 'CAR' }],
    pickupInformation: pickup && { pickupNumber: pickup },
    returnInformation: back && { returnLocation: back },
    charges: writeCharges(own, box),
  })
}

const clocks = [
  ['pickup_lfd_line', 'DEM'],
  ['pickup_lfd_terminal', 'STO'],
  ['empty_return_by', 'DET'],
] as const

function writeFreeTimes(observations: readonly Said[]): readonly Json[] {
  return clocks.flatMap(([fact, code]) =>
    factsOf(observations, fact).map(({ equipment, value }) =>
      given({ typeCodes: [code], equipmentReferences: equipment && [equipment], ...writeLastDay(value) }),
    ),
  )
}

function writeLastDay(time: SaidTime): Json {
  const member = time.kind === 'day' ? 'lastFreeDate' : 'lastFreeDateTime'
  return { [member]: { value: writeTime(time), classifier: 'EST' } }
}

function writeCharges(observations: readonly Said[], equipment: string | null): readonly Json[] {
  return factsOf(observations, 'fee')
    .filter((fee) => fee.equipment === equipment)
    .map(({ value }) =>
      given({
        chargeName: value.description,
        chargeCode: value.type === 'demurrage' ? 'DEM' : null,
        currencyAmount: value.amount,
        currencyCode: value.currencyCode,
      }),
    )
}

function writeReleases(observations: readonly Said[]): Json | undefined {
  const holds = factsOf(observations, 'hold').map(({ value }) => value)
  const freight = holds.find(({ name }) => name === 'freight')
  const customs = holds.find(({ name }) => name === 'customs')
  if (freight === undefined && customs === undefined) return undefined
  return given({
    isFreightReleased: freight && freight.status === 'released',
    isCustomsReleased: customs && customs.status === 'released',
  })
}

function writeCargo(observations: readonly Said[]): readonly Json[] {
  const cargoItems = factsOf(observations, 'weight_kg').map(({ equipment, value }) => ({
    equipmentReference: equipment,
    cargoGrossWeight: { value, unit: 'KGM' },
  }))
  const bookings = factsOf(observations, 'booking_number').map(({ value }) => ({
    carrierBookingReference: value,
  }))
  return [...bookings, ...(cargoItems.length === 0 ? [] : [{ cargoItems }])]
}

/** The arrival at the port of discharge, as a day. */
function writeArrival(observations: readonly Said[]): Json {
  const arrival = observations.find(
    (each): each is SaidEvent => each.kind === 'event' && each.code === 'ARRI' && each.time.kind === 'day',
  )
  if (arrival === undefined) return {}
  const { vessel, voyage, classifier, time, place } = arrival
  const leg = {
    modeOfTransport: 'VESSEL',
    dischargeLocation: writeLocation(place),
    vesselVoyage: given({
      vesselIMONumber: vessel?.imo,
      vesselName: vessel?.name,
      carrierImportVoyageNumber: voyage,
    }),
  }
  return {
    portOfDischarge: writeLocation(place),
    portOfDischargeArrivalDate: { value: writeTime(time), classifier },
    legs: [leg],
  }
}

function writeLocation(place: SaidPlace | undefined): Json | undefined {
  return place && given({ UNLocationCode: place.unlocode, locationName: place.name })
}

/** Removes members without a value. */
function given(members: Json): Json {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined && value !== null && value !== ''),
  )
}
