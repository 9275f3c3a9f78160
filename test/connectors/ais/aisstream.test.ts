import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readAisStreamMessage, wholeWorld, writeSubscription } from '../../../src/connectors/ais/aisstream-message.ts'

const receivedAt = '2026-01-06T14:30:00.000Z'
const read = (value: unknown) => readAisStreamMessage(JSON.stringify(value), receivedAt)

const metaData = { MMSI: 259000420, ShipName: 'AUGUSTSON', time_utc: '2022-12-29 18:22:32.318353 +0000 UTC' }
const report = {
  UserID: 259000420,
  Valid: true,
  Latitude: 66.02695,
  Longitude: 12.253821,
  Sog: 7.3,
  Cog: 308.2,
}
const statics = { UserID: 259000420, ImoNumber: 9321483, Name: 'AUGUSTSON@@@@', CallSign: 'LLBQ   ' }

test('the AISStream reader reads a position report, with the time when the network received it', () => {
  assert.deepEqual(read({ MessageType: 'PositionReport', MetaData: metaData, Message: { PositionReport: report } }), {
    kind: 'report',
    report: {
      kind: 'position',
      mmsi: '259000420',
      heardAt: '2022-12-29T18:22:32.318Z',
      latitude: 66.02695,
      longitude: 12.253821,
      speedKnots: 7.3,
      courseDegrees: 308.2,
    },
  })
})

test('the IMO number, name and call sign of a ship are read from its static data message', () => {
  assert.deepEqual(read({ MessageType: 'ShipStaticData', MetaData: metaData, Message: { ShipStaticData: statics } }), {
    kind: 'report',
    report: {
      kind: 'identity',
      mmsi: '259000420',
      heardAt: '2022-12-29T18:22:32.318Z',
      imo: '9321483',
      name: 'AUGUSTSON',
      callSign: 'LLBQ',
    },
  })
})

test('the AISStream reader counts each unusable message by its kind of fault', () => {
  const position = (changes: object) => ({
    MessageType: 'PositionReport',
    MetaData: metaData,
    Message: { PositionReport: { ...report, ...changes } },
  })
  const cases = [
    [position({ Latitude: 91 }), 'no_position'],
    [position({ Longitude: 181 }), 'no_position'],
    [position({ Latitude: 0, Longitude: 0 }), 'no_position'],
    [position({ Sog: 102.3 }), 'no_position'],
    [position({ Sog: null }), 'no_position'],
    [position({ UserID: 2_579_999 }), 'bad_mmsi'],
    [{ ...position({}), MetaData: { time_utc: 'yesterday' } }, 'bad_time'],
    [{ MessageType: 'PositionReport', Message: {} }, 'garbage'],
    [[], 'garbage'],
    [{ MessageType: 'ShipStaticData', Message: { ShipStaticData: { ...statics, ImoNumber: 0 } } }, 'no_imo'],
    [{ MessageType: 'ShipStaticData', Message: { ShipStaticData: { ...statics, ImoNumber: 9321484 } } }, 'no_imo'],
  ] as const
  for (const [message, issue] of cases) {
    assert.deepEqual(read(message), { kind: 'issue', issue }, JSON.stringify(message))
  }
  assert.deepEqual(read({ MessageType: 'SafetyBroadcastMessage', Message: {} }), { kind: 'other' })
  assert.deepEqual(read({ error: 'Api Key Is Not Valid' }), { kind: 'error', error: 'Api Key Is Not Valid' })
})

test('the subscription states bounding boxes with latitude first, and omits filters that are not configured', () => {
  const subscription = JSON.parse(writeSubscription({ apiKey: 'k', boundingBoxes: [wholeWorld], mmsi: [] }))
  assert.deepEqual(subscription.BoundingBoxes, [
    [
      [-90, -180],
      [90, 180],
    ],
  ])
  assert.equal(subscription.APIKey, 'k')
  assert.equal('FiltersShipMMSI' in subscription, false)
})

test('the AISStream reader never throws on arbitrary text or JSON', () => {
  fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => void readAisStreamMessage(text, receivedAt)))
})
