/**
 * A plain import as DCSA events: two containers from Shanghai to Los Angeles, the same for every question. Its days are
 * moved relative to the day of the first question, so that it always looks like a recent shipment.
 */

type Json = Readonly<Record<string, unknown>>

const booking = 'TEST-BKG-1'
const boxes = ['LDFU1000018', 'LDFU1000023'] as const

/** The day of the first question for which the dates below are written. */
const toldOn = Date.parse('2026-02-01T00:00:00Z')
const dayMs = 86_400_000

/** The 2.2 answer, oldest event first; `askedAt` is the ISO instant of the first question. */
export function plainImport(askedAt = '2026-02-01T00:00:00Z'): readonly Json[] {
  const days = Math.floor((Date.parse(askedAt) - toldOn) / dayMs)
  return told().map((event) => ({
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

type Told = Json & {
  readonly eventCreatedDateTime: string
  readonly eventDateTime: string
}

function told(): readonly Told[] {
  return [
    ...boxes.flatMap((box) => [
      atOrigin(box, { id: '01', code: 'GTOT', load: 'EMPTY', time: '2026-01-03T09:20:00+08:00' }),
      atOrigin(box, { id: '02', code: 'GTIN', load: 'LADEN', time: '2026-01-05T16:45:00+08:00' }),
      atOrigin(box, { id: '03', code: 'LOAD', load: 'LADEN', time: '2026-01-07T22:10:00+08:00' }),
    ]),
    sailing({ id: '04', code: 'DEPA', time: '2026-01-08T05:30:00+08:00', call: shanghai }),
    sailing({ id: '05', code: 'ARRI', time: '2026-01-22T06:15:00-08:00', call: losAngeles }),
    ...boxes.flatMap((box) => [
      atDestination(box, { id: '06', code: 'DISC', load: 'LADEN', time: '2026-01-23T11:40:00-08:00' }),
      atDestination(box, { id: '07', code: 'GTOT', load: 'LADEN', time: '2026-01-26T10:05:00-08:00' }),
    ]),
    atDestination(boxes[0], { id: '08', code: 'GTIN', load: 'EMPTY', time: '2026-01-30T14:25:00-08:00' }),
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

function atOrigin(box: string, move: Move): Told {
  return boxEvent(box, move, { call: shanghai, place: { UNLocationCode: 'CNSHG', locationName: 'Shanghai' } })
}

function atDestination(box: string, move: Move): Told {
  return boxEvent(box, move, {
    call: losAngeles,
    place: { UNLocationCode: 'USLAX', locationName: 'Los Angeles' },
  })
}

function boxEvent(box: string, move: Move, where: { readonly call: Json; readonly place: Json }): Told {
  return {
    ...head(`${move.id}${box.slice(-2)}`, move.time),
    eventType: 'EQUIPMENT',
    equipmentEventTypeCode: move.code,
    equipmentReference: box,
    ISOEquipmentCode: '45G1',
    emptyIndicatorCode: move.load,
    eventLocation: where.place,
    transportCall: where.call,
    documentReferences,
    ...(move.code === 'LOAD' && {
      seals: [{ sealNumber: `TS${box.slice(-6)}`, sealSource: 'CAR', sealType: 'BLT' }],
    }),
  }
}

function sailing(event: {
  readonly id: string
  readonly code: string
  readonly time: string
  readonly call: Json
}): Told {
  return {
    ...head(`${event.id}00`, event.time),
    eventType: 'TRANSPORT',
    transportEventTypeCode: event.code,
    transportCall: event.call,
    documentReferences,
    references: boxes.map((box) => ({ referenceType: 'EQ', referenceValue: box })),
  }
}

/** Bookings only: the bill is the number that was asked for. */
const documentReferences = [{ documentReferenceType: 'BKG', documentReferenceValue: booking }]

/** Stated an hour after it happened. */
function head(id: string, time: string): Told {
  return {
    eventID: `00000000-0000-4000-8000-00000000${id}`,
    eventCreatedDateTime: new Date(Date.parse(time) + 3_600_000).toISOString(),
    eventClassifierCode: 'ACT',
    eventDateTime: time,
  }
}
