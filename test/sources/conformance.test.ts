import { readFileSync } from 'node:fs'
import { openDcsaSource } from '../../src/sources/dcsa/dcsa.ts'
import { plainImport } from '../../src/sources/test/plain-import.ts'
import { openTestSource } from '../../src/sources/test/test-source.ts'
import { describeConformance } from './conformance.ts'
import { equipmentEvent, profile, shipmentEvent, transportEvent } from './dcsa/events.ts'

const official = (name: string): Buffer =>
  readFileSync(new URL(`./dcsa/fixtures/${name}.json`, import.meta.url))
const write = (value: unknown): Buffer => Buffer.from(JSON.stringify(value))

const bare = { eventID: undefined, eventClassifierCode: 'EST' }
const samples = [
  official('tnt-220-response'),
  official('tnt-220-response-wrong-event-ids'),
  official('tnt-220-response-wrong-date-times'),
  official('tnt-220-response-wrong-attribute-values'),
  official('tnt-300-response'),
  official('tnt-300-response-nextpage'),
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

describeConformance('dcsa', { source: openDcsaSource(), profiles, samples, contentType, shuffle, unknowns })
describeConformance('test', {
  source: openTestSource(),
  profiles: [profile],
  samples: [write(plainImport())],
  contentType,
  shuffle,
  unknowns,
})
