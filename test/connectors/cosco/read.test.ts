import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openCoscoSource } from '../../../src/connectors/cosco/cosco-source.ts'
import { coscoProfile } from '../../../src/connectors/cosco/profile.ts'
import type { PollRequest, Reading } from '../../../src/connectors/source.ts'
import { writeObservation } from '../../../src/domain/notation/notation.ts'
import { findPlaceByCode } from '../../../src/reference/places.ts'
import { findTerminalById } from '../../../src/reference/terminals.ts'
import { answerWith, asked, box, content, leg } from './answer.ts'

const source = openCoscoSource()

function read(body: Buffer, request: PollRequest = asked, status = 200): Reading {
  const snapshot = {
    status,
    contentType: 'application/json',
    body,
    fetchedAt: '2026-02-10T00:00:00.000Z',
  }
  return source.read(snapshot, request, coscoProfile)
}

const by = { kind: 'shipping_line', code: 'COSU' } as const
const timeZoneOf = (unlocode: string): string | null => findPlaceByCode(unlocode)?.timeZone ?? null
const stated = ({ observations }: Reading): readonly string[] =>
  observations.map((each) => writeObservation(each, by, { timeZoneOf }))

describe('an answer of COSCO', () => {
  test('gives the calls of the ship, the last move of each container, and facts', () => {
    const reading = read(answerWith(content))
    assert.equal(reading.outcome, 'found')
    assert.deepEqual(reading.issues, [])
    assert.deepEqual(reading.events, { told: 6, aside: 0, understood: 6, lost: 0, unread: {} })
    const events = reading.observations.flatMap((each) =>
      each.kind === 'event'
        ? [
            [
              each.classifier,
              each.code,
              each.load,
              each.mode,
              each.place.unlocode,
              each.time.kind === 'local' && each.time.local,
              each.equipment,
              each.vessel?.name,
              each.voyage,
            ],
          ]
        : [],
    )
    const ship = ['EXAMPLE BRIDGE', '039E']
    assert.deepEqual(
      events.map(String).toSorted(),
      [
        ['ACT', 'ARRI', null, 'VESSEL', 'USLAX', '2026-01-30T05:24:00', null, ...ship],
        ['ACT', 'DEPA', null, 'VESSEL', 'CNTAO', '2026-01-12T19:40:00', null, ...ship],
        ['ACT', 'DISC', 'LADEN', 'VESSEL', 'USLAX', '2026-01-31T13:55:00', 'CBHU4398907', undefined, null],
        ['ACT', 'GTOT', 'LADEN', 'RAIL', 'USLAX', '2026-02-03T14:20:00', 'CSNU6276212', undefined, null],
        ['EST', 'ARRI', null, 'VESSEL', 'USLAX', '2026-01-30T06:00:00', null, ...ship],
        ['EST', 'DEPA', null, 'VESSEL', 'CNTAO', '2026-01-12T17:00:00', null, ...ship],
      ].map(String),
    )
    const facts = Object.fromEntries(
      reading.observations.flatMap((each) =>
        each.kind === 'fact'
          ? [[each.key, typeof each.value === 'object' && each.value !== null ? 'place' : each.value]]
          : [],
      ),
    )
    assert.deepEqual(facts, {
      'bill_of_lading_number|6412345670': '6412345670',
      'booking_number|6412345670': '6412345670',
      'it_number|-': 'V2167699827',
      'place_of_delivery|-': 'place',
      'pod_terminal|-': 'place',
      'port_of_discharge|-': 'place',
      'port_of_loading|-': 'place',
      'seal_number|CBHU4398907': '2',
      'seal_number|CSNU6276212': 'K31436',
      'size_type|CBHU4398907': '45G1',
      'size_type|CSNU6276212': '45G1',
      'weight_kg|CBHU4398907': 17720,
      'weight_kg|CSNU6276212': 17720,
    })
  })

  test('gives the terminal when the port has one of that name', () => {
    const { observations } = read(answerWith(content))
    const terminals = observations.flatMap((each) =>
      each.kind === 'fact'
        ? each.fact === 'pod_terminal'
          ? [each.value.terminalId]
          : []
        : each.code === 'DISC' || each.code === 'GTOT'
          ? [each.place.terminalId]
          : [],
    )
    const [terminal] = terminals
    assert.equal(findTerminalById(terminal ?? '')?.name, 'West Basin Container Terminal')
    assert.deepEqual(terminals, [terminal, terminal, terminal])
  })

  test('keeps only the name of a port if the country of the port is missing or ambiguous', () => {
    const far = {
      ...content,
      trackingPath: undefined,
      actualShipment: [{ ...leg, city: '' }],
      containerStatus: [],
    }
    const reading = read(answerWith(far))
    assert.ok(reading.observations.every((each) => each.kind === 'fact' || each.place.unlocode === null))
    assert.deepEqual([...new Set(reading.issues.map(({ kind, lost }) => `${kind} ${lost}`))], ['unknown_place nothing'])
    const towns = ['Los Angeles,United States', 'Los Angeles,Chile']
    const legs = towns.map((city, n) => ({ ...leg, city, voyageNo: `${n}` }))
    const twice = read(answerWith({ ...far, actualShipment: legs }))
    assert.ok(twice.observations.every((each) => each.kind === 'fact' || each.place.unlocode === null))
  })

  test('uses the town of a leg as its port of discharge when the leg names none', () => {
    const reading = read(answerWith({ ...content, actualShipment: [{ ...leg, portOfDischarge: '' }] }))
    const arrivals = reading.observations.filter((each) => each.kind === 'event' && each.code === 'ARRI')
    assert.deepEqual(
      arrivals.map((each) => each.kind === 'event' && each.place.unlocode),
      ['USLAX', 'USLAX'],
    )
  })

  test('keeps the text of an unknown move, and ignores the receipt of cargo', () => {
    const containers = [
      { ...box, label: 'Moved in some new way' },
      { ...box, containerNumber: 'CBHU4398907', label: 'Cargo Received' },
    ]
    const reading = read(answerWith({ ...content, actualShipment: [], containerStatus: [{ containers }] }))
    const [event] = reading.observations.filter((each) => each.kind === 'event')
    assert.deepEqual([event?.code, event?.original], [null, 'Moved in some new way'])
    assert.deepEqual(reading.events.unread, { unknown_code: 1 })
    assert.equal(reading.events.aside, 1)
    assert.ok(reading.issues.some(({ kind, path }) => kind === 'unknown_code' && path.endsWith('/label')))
  })

  test('gives nothing if it is about another document', () => {
    const other = read(answerWith(content), { ...asked, number: '6499999999' })
    assert.deepEqual([other.outcome, other.observations.length], ['other_number', 0])
    assert.equal(read(answerWith(content), { ...asked, number: 'COSU6412345670' }).outcome, 'found')
    const wrong = {
      ...content,
      containerStatus: [{ containers: [{ ...box, containerNumber: 'CSNA6276213' }] }],
    }
    const reading = read(answerWith(wrong))
    assert.ok(reading.observations.every(({ equipment }) => equipment === null))
    assert.equal(reading.events.unread['bad_equipment'], 1)
    assert.ok(stated(reading).length > 0)
  })

  test('reads a container with a wrong check digit, and reports an issue', () => {
    const wrong = {
      ...content,
      containerStatus: [{ containers: [{ ...box, containerNumber: 'CSNU6276213' }] }],
    }
    const reading = read(answerWith(wrong))
    assert.ok(reading.observations.some(({ equipment }) => equipment === 'CSNU6276213'))
    assert.ok(reading.issues.some(({ kind, lost }) => kind === 'check_digit' && lost === 'nothing'))
  })

  for (const [what, body, status, outcome] of [
    ['no such number', { code: 0, message: 'success', data: { type: 'none', content: null } }, 200, 'not_found'],
    ['no data at all', { code: 0, message: 'success' }, 200, 'unrecognized'],
    ['an invalid request', { code: 5400, message: 'Parameter is Error' }, 200, 'question_refused'],
    ['an error of the server', { code: 5500, message: 'Error' }, 200, 'unreachable'],
    ['a signature that it refuses', { message: 'HMAC signature does not match' }, 401, 'access_denied'],
    ['too many requests', { message: 'API rate limit exceeded' }, 429, 'unreachable'],
    ['something else', [], 200, 'unrecognized'],
  ] as const)
    test(`${what}: ${outcome}`, () => {
      const reading = read(Buffer.from(JSON.stringify(body)), asked, status)
      assert.deepEqual([reading.outcome, reading.observations.length], [outcome, 0])
      assert.equal(reading.issues.length, outcome === 'not_found' ? 0 : 1)
    })
})
