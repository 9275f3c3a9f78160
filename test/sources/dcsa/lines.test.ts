/**
 * Answers in the shapes in which lines really send them, and what has to be read of every event. The expected rows are
 * written by hand from the answers; `fixtures/README.md` says how each shape is known.
 */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import type { EventObservation } from '../../../src/core/observation.ts'
import { findDcsaProfile } from '../../../src/sources/dcsa/profiles/lines.ts'
import type { LookRequest, Reading } from '../../../src/sources/source.ts'
import { eventsOf, factsOf, readBody } from './events.ts'

function readLine(name: string, request: LookRequest): Reading {
  const text = readFileSync(new URL(`./fixtures/line-${name}.json`, import.meta.url), 'utf8')
  return readBody(text, request, findDcsaProfile(request.scac) ?? {})
}

/** One row for each event, by its time. */
function rowsOf(reading: Reading): readonly string[] {
  return eventsOf(reading)
    .map((event) => [timeOf(event), rowOf(event)].join(' | '))
    .sort()
}

function timeOf({ time }: EventObservation): string {
  return time.kind === 'instant' ? time.at : JSON.stringify(time)
}

function rowOf({
  classifier,
  code,
  equipment,
  load,
  mode,
  place,
  vessel,
  voyage,
  callId,
}: EventObservation): string {
  const where = [place.unlocode, place.name, place.timeZone, place.facilityCode]
  const ship = [vessel?.imo, vessel?.name, voyage, callId]
  return [[classifier, code, equipment, load, mode], where, ship]
    .map((part) => part.map((each) => each ?? '-').join(' '))
    .join(' | ')
}

describe('MSC', () => {
  const bill: LookRequest = { scac: 'MSCU', kind: 'bill_of_lading', number: 'MEDUZQ004310' }
  const box: LookRequest = { scac: 'MSCU', kind: 'container', number: 'MEDU4801232' }
  const reading = readLine('mscu', bill)

  it('is read event by event, each with its place, zone, ship and call', () => {
    const shanghai = 'CNSHG SHANGHAI Asia/Shanghai -'
    const busan = 'KRPUS BUSAN Asia/Seoul PNP'
    const first = '9412074 FEEDER OF NINGBO'
    const second = '9730189 ANDES TRADER'
    assert.deepEqual(rowsOf(reading), [
      `2026-01-05T01:38:00.000Z | ACT GTOT MEDU4801232 EMPTY TRUCK | ${shanghai} | - - - CNSHATRB`,
      `2026-01-08T11:59:00.000Z | ACT GTIN MEDU4801232 LADEN TRUCK | ${shanghai} | - - - CNSHATRB`,
      `2026-01-12T10:04:00.000Z | ACT LOAD MEDU4801232 LADEN VESSEL | ${shanghai} | ${first} QZ601A CNSHAQZ601A`,
      // A transport event has the call's place, which has no name but its code.
      `2026-01-13T00:00:00.000Z | ACT DEPA - - VESSEL | CNSHG CNSHA Asia/Shanghai - | ${first} - CNSHAQZ601A`,
      `2026-01-16T19:00:00.000Z | ACT ARRI - - VESSEL | KRPUS KRPUS Asia/Seoul PNP | ${first} - KRPUSQZ601A`,
      `2026-01-17T08:50:00.000Z | ACT DISC MEDU4801232 LADEN VESSEL | ${busan} | ${first} QZ601A KRPUSQZ601A`,
      `2026-01-24T21:32:00.000Z | ACT LOAD MEDU4801232 LADEN VESSEL | ${busan} | ${second} 2602W KRPUS2602W`,
      `2026-01-25T10:30:00.000Z | ACT DEPA - - VESSEL | KRPUS KRPUS Asia/Seoul PNP | ${second} - KRPUS2602W`,
      `2026-03-12T07:00:00.000Z | EST ARRI - - VESSEL | CLVAP CLVAP America/Santiago - | ${second} 2602W CLVAP2602W`,
    ])
  })

  it('gives its numbers and the size; its seals are known not to be kept', () => {
    assert.equal(reading.verdict, 'found')
    assert.deepEqual(reading.about, {
      billNumbers: ['MEDUZQ004310'],
      bookingNumbers: ['177ZZZQLA000431'],
      equipment: ['MEDU4801232'],
    })
    assert.deepEqual(factsOf(reading), {
      'bill_of_lading_number -': 'MEDUZQ004310',
      'booking_number -': '177ZZZQLA000431',
      'size_type MEDU4801232': '4310',
    })
  })

  it('loses nothing but the time at which an estimate was made, which MSC gives as the estimate itself', () => {
    const lost = reading.issues.filter(({ lost }) => lost !== 'nothing')
    assert.deepEqual(
      lost.map(({ kind, path }) => `${kind} ${path}`),
      ['implausible_time /0/eventCreatedDateTime'],
    )
  })

  it('has keys that stay: its ids, save those made of the time, which change with each estimate', () => {
    assert.deepEqual(
      eventsOf(reading).map(({ key }) => key),
      [
        '2075016818',
        '2075821792',
        '2076525830',
        '2077740398',
        '2078904433',
        'ACT|ARRI|-|VESSEL|KRPUS|-|KRPUSQZ601A|-',
        'ACT|DEPA|-|VESSEL|CNSHG|-|CNSHAQZ601A|-',
        'ACT|DEPA|-|VESSEL|KRPUS|-|KRPUS2602W|-',
        'EST|ARRI|-|VESSEL|CLVAP|2602W|CLVAP2602W|-',
      ],
    )
    const unkept = reading.issues.filter(({ kind }) => kind === 'bad_event_id')
    assert.deepEqual(
      unkept.map(({ path, lost }) => `${path} ${lost}`),
      ['/0/eventId nothing'],
    )
  })

  it('says the same of a box as of its bill', () => {
    assert.deepEqual(rowsOf(readLine('mscu', box)), rowsOf(reading))
  })
})
