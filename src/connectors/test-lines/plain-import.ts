/**
 * A plain import as DCSA events: two containers from Shanghai to Los Angeles, the same for every question. Its days are
 * moved relative to the day of the first question, so that it always seems to be a recent shipment.
 */

type Json = Readonly<Record<string, unknown>>

const booking = 'TEST-BKG-1'
const containers = ['LDFU1000018', 'LDFU1000023'] as const

/** The day of the first question for which the dates below are written. */
const referenceMs = Date.parse('2026-02-01T00:00:00Z')
const dayMs = 86_400_000

/** The 2.2 answer, oldest event first; `firstPolledAt` is the ISO instant of the first question. */
export function buildPlainImportEvents(firstPolledAt = '2026-02-01T00:00:00Z'): readonly Json[] {
  const days = Math.floor((Date.parse(firstPolledAt) - referenceMs) / dayMs)
  return buildEvents().map((event) => ({
    ...event,
    eventCreatedDateTime: laterBy(days, event.eventCreatedDateTime),
    eventDateTime: laterBy(days, event.eventDateTime),
  }))
}

/** The same time of day, days later. */
function laterBy(days: number, time: string): string {
  const day = new Date(Date.parse(`${time.slice(0, 10)}T00:00:00Z`) + days * dayMs)
  return day.toISOString().slice(0, 10) + time.slice(10)
}

type TestEvent = Json & {
  readonly eventCreatedDateTime: string
  readonly eventDateTime: string
}

function buildEvents(): readonly TestEvent[] {
  return [
    ...containers.flatMap((container) => [
      atOrigin(container, { id: '01', code: 'GTOT', load: 'EMPTY', time: '2026-01-03T09:20:00+08:00' }),
      atOrigin(container, { id: '02', code: 'GTIN', load: 'LADEN', time: '2026-01-05T16:45:00+08:00' }),
      atOrigin(container, { id: '03', code: 'LOAD', load: 'LADEN', time: '2026-01-07T22:10:00+08:00' }),
    ]),
    createTransportEvent({ id: '04', code: 'DEPA', time: '2026-01-08T05:30:00+08:00', call: shanghai }),
    createTransportEvent({ id: '05', code: 'ARRI', time: '2026-01-22T06:15:00-08:00', call: losAngeles }),
    ...containers.flatMap((container) => [
      atDestination(container, { id: '06', code: 'DISC', load: 'LADEN', time: '2026-01-23T11:40:00-08:00' }),
      atDestination(container, { id: '07', code: 'GTOT', load: 'LADEN', time: '2026-01-26T10:05:00-08:00' }),
    ]),
    atDestination(containers[0], {
      id: '08',
      code: 'GTIN',
      load: 'EMPTY',
      time: '2026-01-30T14:25:00-08:00',
    }),
  ]
}

const vessel = { vesselIMONumber: '9321483', vesselName: 'King of the Seas' }
const shanghai = {
  transportCallID: 'TEST-CALL-1',
  transportCallSequenceNumber: 1,
  UNLocationCode: 'CNSHG',
  facilityTypeCode: 'POTE',
  modeOfTransport: 'VESSEL',
  exportVoyageNumber: '601E',
  importVoyageNumber: '601E',
  vessel,
}
const losAngeles = {
  ...shanghai,
  transportCallID: 'TEST-CALL-2',
  transportCallSequenceNumber: 2,
  UNLocationCode: 'USLAX',
}

interface Move {
  readonly id: string
  readonly code: string
  readonly load: string
  readonly time: string
}

function atOrigin(container: string, move: Move): TestEvent {
  return createEquipmentEvent(container, move, {
    call: shanghai,
    place: { UNLocationCode: 'CNSHG', locationName: 'Shanghai' },
  })
}

function atDestination(container: string, move: Move): TestEvent {
  return createEquipmentEvent(container, move, {
    call: losAngeles,
    place: { UNLocationCode: 'USLAX', locationName: 'Los Angeles' },
  })
}

function createEquipmentEvent(
  container: string,
  move: Move,
  where: { readonly call: Json; readonly place: Json },
): TestEvent {
  return {
    ...createEventHead(`${move.id}${container.slice(-2)}`, move.time),
    eventType: 'EQUIPMENT',
    equipmentEventTypeCode: move.code,
    equipmentReference: container,
    ISOEquipmentCode: '45G1',
    emptyIndicatorCode: move.load,
    eventLocation: where.place,
    transportCall: where.call,
    documentReferences,
    ...(move.code === 'LOAD' && {
      seals: [{ sealNumber: `TS${container.slice(-6)}`, sealSource: 'CAR', sealType: 'BLT' }],
    }),
  }
}

function createTransportEvent(event: {
  readonly id: string
  readonly code: string
  readonly time: string
  readonly call: Json
}): TestEvent {
  return {
    ...createEventHead(`${event.id}00`, event.time),
    eventType: 'TRANSPORT',
    transportEventTypeCode: event.code,
    transportCall: event.call,
    documentReferences,
    references: containers.map((container) => ({ referenceType: 'EQ', referenceValue: container })),
  }
}

/** Bookings only: the bill is the polled number. */
const documentReferences = [{ documentReferenceType: 'BKG', documentReferenceValue: booking }]

/** Stated an hour after it happened. */
function createEventHead(id: string, time: string): TestEvent {
  return {
    eventID: `00000000-0000-4000-8000-00000000${id}`,
    eventCreatedDateTime: new Date(Date.parse(time) + 3_600_000).toISOString(),
    eventClassifierCode: 'ACT',
    eventDateTime: time,
  }
}
