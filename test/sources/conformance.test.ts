import { readFileSync } from 'node:fs'
import { openDcsaSource } from '../../src/sources/dcsa/dcsa.ts'
import { plainImport } from '../../src/sources/test/plain-import.ts'
import { openTestSource } from '../../src/sources/test/test-source.ts'
import { describeConformance } from './conformance.ts'
import { equipmentEvent, profile, shipmentEvent, transportEvent } from './dcsa/events.ts'

const sampleOf = (name: string): Buffer =>
  readFileSync(new URL(`./dcsa/fixtures/${name}.json`, import.meta.url))
const write = (value: unknown): Buffer => Buffer.from(JSON.stringify(value))

const bare = { eventID: undefined, eventClassifierCode: 'EST' }
const samples = [
  sampleOf('tnt-220-response'),
  sampleOf('tnt-220-response-wrong-event-ids'),
  sampleOf('tnt-220-response-wrong-date-times'),
  sampleOf('tnt-220-response-wrong-attribute-values'),
  sampleOf('tnt-300-response'),
  sampleOf('tnt-300-response-nextpage'),
  sampleOf('line-mscu'),
  write([
    transportEvent(bare),
    transportEvent({ ...bare, eventDateTime: '2026-01-12' }),
    transportEvent({ ...bare, eventDateTime: '2026-01-13T00:00:00' }),
    transportEvent({
      ...bare,
      eventDateTime: '2026-01-13T00:00:00',
      eventCreatedDateTime: '2026-01-11T00:00:00Z',
    }),
    equipmentEvent({ seals: [{ sealNumber: 'A', sealSource: 'CAR' }], ISOEquipmentCode: '22G1' }),
    equipmentEvent({ seals: [{ sealNumber: 'B', sealSource: 'CAR' }], ISOEquipmentCode: '45G1' }),
    shipmentEvent(),
    shipmentEvent({ shipmentEventTypeCode: 'CANC' }),
  ]),
]

const unknowns = write([
  transportEvent({ transportEventTypeCode: 'SANK' }),
  equipmentEvent({ eventLocation: { UNLocationCode: 'XYABC' } }),
])

/** Events stand in a bare list or in `events`. */
function shuffle(sample: Buffer, order: readonly number[]): Buffer {
  const body = JSON.parse(sample.toString())
  const events: unknown[] = Array.isArray(body) ? body : body.events
  const ranked = events.map((event, index) => ({
    event,
    rank: (order[index % Math.max(1, order.length)] ?? 0) + index / 100,
  }))
  const shuffled = ranked.sort((a, b) => a.rank - b.rank).map(({ event }) => event)
  return write(Array.isArray(body) ? shuffled : { ...body, events: shuffled })
}

const profiles = [
  { ...profile, body: 'any' as const },
  {
    ...profile,
    body: 'any' as const,
    zoneFallback: 'place' as const,
    hasDayOnlyTimes: true,
    isFullPicture: true,
    enumAliases: { PLAN: 'PLN', FEEDER: 'BARGE' },
  },
]
const contentType = 'application/json'
const members = {
  places: [
    'eventLocation',
    'location',
    'UNLocationCode',
    'unLocationCode',
    'facilityCode',
    'otherFacility',
    'facilityCodeListProvider',
    'facilityTypeCode',
    'facilityType',
    'shipmentLocationType',
  ],
  ids: ['eventID', 'eventId', 'retractedEventID'],
}

describeConformance('dcsa', {
  source: openDcsaSource(),
  profiles,
  samples,
  contentType,
  shuffle,
  unknowns,
  members,
})
describeConformance('test', {
  source: openTestSource(),
  profiles: [profile],
  samples: [write(plainImport())],
  contentType,
  shuffle,
  unknowns,
  members,
})
