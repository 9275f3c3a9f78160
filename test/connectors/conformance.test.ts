import { readFileSync } from 'node:fs'
import { openCoscoSource } from '../../src/connectors/cosco/cosco-source.ts'
import { coscoProfile } from '../../src/connectors/cosco/profile.ts'
import { openDcsaSource } from '../../src/connectors/dcsa/dcsa-source.ts'
import { buildPlainImportEvents } from '../../src/connectors/test-lines/plain-import.ts'
import { openTestSource } from '../../src/connectors/test-lines/test-source.ts'
import { describeConformance } from './conformance.ts'
import { answerWith, box, content, leg } from './cosco/answer.ts'
import { equipmentEvent, profile, shipmentEvent, transportEvent } from './dcsa/events.ts'
import { readLineStories } from './dcsa/line-story.ts'

const sampleOf = (name: string): Buffer => readFileSync(new URL(`./dcsa/fixtures/${name}.json`, import.meta.url))
const write = (value: unknown): Buffer => Buffer.from(JSON.stringify(value))

const bare = { eventID: undefined, eventClassifierCode: 'EST' }
const samples = [
  sampleOf('tnt-220-response'),
  sampleOf('tnt-220-response-wrong-event-ids'),
  sampleOf('tnt-220-response-wrong-date-times'),
  sampleOf('tnt-220-response-wrong-attribute-values'),
  sampleOf('tnt-300-response'),
  sampleOf('tnt-300-response-nextpage'),
  ...readLineStories().map(({ answer }) => answer),
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

/** Events are in a plain list, in `events`, or in one list for each type. */
function shuffle(sample: Buffer, order: readonly number[]): Buffer {
  const body = JSON.parse(sample.toString())
  const shuffled = (events: readonly unknown[]): readonly unknown[] =>
    events
      .map((event, index) => ({
        event,
        rank: (order[index % Math.max(1, order.length)] ?? 0) + index / 100,
      }))
      .sort((a, b) => a.rank - b.rank)
      .map(({ event }) => event)
  if (Array.isArray(body)) return write(shuffled(body))
  const members = Object.entries(body).map(([name, value]) => [name, Array.isArray(value) ? shuffled(value) : value])
  return write(Object.fromEntries(members))
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
  samples: [write(buildPlainImportEvents())],
  contentType,
  shuffle,
  unknowns,
  members,
})

describeConformance('cosco', {
  source: openCoscoSource(),
  profiles: [coscoProfile],
  samples: [answerWith(content), answerWith({ ...content, trackingPath: null, itNumber: 7 })].map(anyBill),
  contentType,
  shuffle: (sample, order) => {
    const body = JSON.parse(sample.toString())
    const { actualShipment, containerStatus } = body.data.content
    const [legs, containers] = [actualShipment, containerStatus].map((list) =>
      JSON.parse(shuffle(write(list), order).toString()),
    )
    body.data.content = { ...body.data.content, actualShipment: legs, containerStatus: containers }
    return write(body)
  },
  unknowns: anyBill(
    answerWith({
      ...content,
      actualShipment: [{ ...leg, portOfLoading: 'Atlantis' }],
      containerStatus: [{ containers: [{ ...box, label: 'Sunk' }] }],
    }),
  ),
  members: null,
})

/** The suite polls for numbers of its own. */
function anyBill(answer: Buffer): Buffer {
  return Buffer.from(answer.toString().replaceAll('6412345670', 'APZU4812090'))
}
