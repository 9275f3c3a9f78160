// A sample that was written is read back as the same, as far as each kind of message can carry it.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { writeArrivalNotice } from '../../sandbox/edi/arrival-notice.ts'
import { openArrivalNoticeSource } from '../../src/connectors/arrival-notice/arrival-notice-source.ts'
import { openPushedDcsaSource } from '../../src/connectors/dcsa/pushed-dcsa-source.ts'
import { openStatementsSource } from '../../src/connectors/statements/statements-source.ts'
import { naturalKeyOf } from '../../src/domain/statements/natural-key.ts'
import type { FactObservation, Observation } from '../../src/domain/statements/observation.ts'
import { carriedByPush, writePushedEvents } from '../../tools/edi-samples/dcsa-pushed.ts'
import { readJourney, writeStatements } from '../../tools/edi-samples/statements.ts'
import { parseStory } from '../support/story.ts'
import { profile as dcsaProfile } from './dcsa/events.ts'
import {
  boxes,
  days,
  events,
  facts,
  feeWords,
  holdWords,
  knownPlaces,
  orNull,
  plain,
  times,
  words,
} from './pushed-arbitraries.ts'
import { bytesOf, readParts, textOf } from './pushed-harness.ts'

const numbers = { bill: 'HHL71800000', booking: 'ABC709951' }
const bill = { kind: 'bill_of_lading', number: numbers.bill } as const
const statements = openStatementsSource()
const pushed = openPushedDcsaSource()
const notices = openArrivalNoticeSource()

/** The documents to which each statement also belongs. */
const documentKeys: readonly string[] = [`bill_of_lading_number|${numbers.bill}`, `booking_number|${numbers.booking}`]

function heardAsStatements(observations: readonly Observation[]): readonly Observation[] {
  const { parts, faults } = statements.splitDelivery(Buffer.from(writeStatements(observations, numbers)), {})
  assert.deepEqual(faults, [])
  return readParts(statements, parts, {}, bill, '2027-01-01T00:00:00.000Z')
    .flatMap((reading) => reading.observations)
    .filter(({ key }) => !documentKeys.includes(key))
}

/** A statement without its own key has its document in its key. */
function withoutNaturalKey(observation: Observation): string {
  const key = observation.key.startsWith('k-') ? observation.key : ''
  return textOf({ ...observation, key } as Observation)
}

test('law: observations written as statements are read as the same observations', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(events, facts), { minLength: 1, maxLength: 6 }), (observations) => {
      const written = [...new Set(observations.map(withoutNaturalKey))]
      const received = [...new Set(heardAsStatements(observations).map(withoutNaturalKey))]
      assert.deepEqual(received.toSorted(), written.toSorted())
    }),
    { numRuns: 300 },
  )
})

test('law: observations written as pushed events are read as the same events, as far as the format carries them', () => {
  fc.assert(
    fc.property(fc.array(events, { maxLength: 6 }), (observations) => {
      const written = writePushedEvents(observations, numbers)
      const { parts, faults } = pushed.splitDelivery(bytesOf(written), dcsaProfile)
      assert.deepEqual(faults, [])
      const received = readParts(pushed, parts, dcsaProfile, bill)
        .flatMap((reading) => reading.observations)
        .filter(({ kind }) => kind === 'event')
      const carried = observations.map(carriedByPush).filter((each) => each !== null)
      assert.deepEqual([...new Set(received.map(textOf))].toSorted(), [...new Set(carried.map(textOf))].toSorted())
    }),
    { numRuns: 300 },
  )
})

interface BoxWords {
  readonly size: string | null
  readonly seal: string | null
  readonly pickup: string | null
  readonly kg: number | null
  readonly lfd: Extract<FactObservation, { fact: 'pickup_lfd_line' }>['value'] | null
  readonly returnBy: Extract<FactObservation, { fact: 'empty_return_by' }>['value'] | null
  readonly fee: Extract<FactObservation, { fact: 'fee' }>['value'] | null
}

const boxWords = plain<BoxWords>({
  size: orNull(fc.constantFrom('45G1', '22R1')),
  seal: orNull(words),
  pickup: orNull(words),
  kg: orNull(fc.integer({ min: 1, max: 30_000_000 }).map((grams) => grams / 1_000)),
  lfd: orNull(times),
  returnBy: orNull(times),
  // A notice gives only the name of a fee, and can state that fees are paid only for all of them.
  fee: orNull(
    feeWords.map((fee) => ({
      ...fee,
      status: 'due' as const,
      type: 'other' as const,
      description: 'Handling',
    })),
  ),
})

const noticeLevel = plain({
  port: knownPlaces,
  loading: knownPlaces,
  order: orNull(times),
  hold: orNull(
    holdWords.map(
      (hold) =>
        ({
          ...hold,
          name: 'freight',
          description: null,
          status: hold.status === 'released' ? 'released' : 'hold',
        }) as const,
    ),
  ),
  eta: orNull(days),
})

test('law: observations written as an arrival notice are read as the same facts of each container', () => {
  const issuedAt = '2026-02-01T09:00:00.000Z'
  fc.assert(
    fc.property(
      fc.subarray([...boxes], { minLength: 1 }),
      fc.array(boxWords, { minLength: 3, maxLength: 3 }),
      noticeLevel,
      (some, said, level) => {
        const stated = { key: '', statedAt: issuedAt, isRetracted: false }
        const named = <Place extends { name: string | null; unlocode: string | null }>(place: Place) => ({
          ...place,
          name: place.name ?? place.unlocode,
        })
        const fact = (
          name: FactObservation['fact'],
          value: unknown,
          equipment: string | null,
        ): readonly Observation[] =>
          value === null ? [] : [{ ...stated, kind: 'fact', fact: name, value, equipment } as unknown as Observation]
        const observations: readonly Observation[] = [
          ...fact('bill_of_lading_number', numbers.bill, null),
          ...fact('booking_number', numbers.booking, null),
          ...some.flatMap((container, index) => {
            const own = said[index]
            if (own === undefined) return []
            return [
              ...fact('size_type', own.size, container),
              ...fact('seal_number', own.seal, container),
              ...fact('pickup_number', own.pickup, container),
              ...fact('weight_kg', own.kg, container),
              ...fact('pickup_lfd_line', own.lfd, container),
              ...fact('empty_return_by', own.returnBy, container),
              ...fact('fee', own.fee, container),
              ...fact('port_of_discharge', named(level.port), container),
              ...fact('port_of_loading', named(level.loading), container),
              ...fact('general_order_at', level.order, container),
              ...fact('hold', level.hold, container),
              ...(level.eta === null
                ? []
                : [
                    {
                      ...stated,
                      kind: 'event',
                      equipment: container,
                      classifier: 'EST',
                      code: 'ARRI',
                      load: null,
                      mode: 'VESSEL',
                      time: level.eta,
                      place: named(level.port),
                      vessel: { imo: '9321483', name: 'King of the Seas' },
                      voyage: '012E',
                      callId: null,
                      callSequence: null,
                      original: 'portOfDischargeArrivalDate',
                    } as const,
                  ]),
            ]
          }),
        ]
        const written = writeArrivalNotice(observations, { bill: numbers.bill, label: 'sample', issuedAt })
        const { parts, faults } = notices.splitDelivery(bytesOf([written]), { scac: 'ACLU' })
        assert.deepEqual(faults, [])
        const received = readParts(notices, parts, { scac: 'ACLU' }, bill).flatMap((reading) => reading.observations)
        const unkeyed = (each: Observation) => JSON.stringify(Object.entries({ ...each, key: '' }).toSorted())
        assert.deepEqual(received.map(unkeyed).toSorted(), observations.map(unkeyed).toSorted())
      },
    ),
    { numRuns: 150 },
  )
})

test('a journey that is written as statements is read back with each place and hold', () => {
  const journey = `
    ACT LOAD LADEN CNNGB 2026-01-06T14:30Z carrier:EGLV box=TCNU1234565 via=VESSEL vessel=9321483/"King of the Seas"
    EST ARRI -     USLAX 2026-01-29        carrier:EGLV box=TCNU1234565 key=k-1 stated=2026-01-10T00:00Z
    ACT DISC LADEN USLAX 2026-01-30T02:10  terminal:Y258 box=TCNU1234565 at=X1 site=POTE
    ACT -    -     -     2026-01-30        terminal:Y258 box=TCNU1234565 name="Berth 4" original="SHIFTED"
    ACT GTIN EMPTY USLAX 2026-02-12        carrier:HLCU box=TCNU1234565 key=k-17 retracted
    FACT hold customs:released:"exam" terminal:Y258 box=TCNU1234565 key=k-2
    FACT fee demurrage:due:120.5:USD terminal:Y258 box=TCNU1234565 key=k-3
    FACT holds [customs:hold:"exam", freight:pending] terminal:Y258
    FACT pickup_lfd_line 2026-02-03 carrier:HLCU box=TCNU1234565
    FACT delivered - user:api box=TCNU1234565`
  const written = readJourney(journey)
  assert.equal(written.length, 10)
  assert.deepEqual(heardAsStatements(written).map(withoutNaturalKey), written.map(withoutNaturalKey))
})

test('every golden story can be written as statements, line by line', () => {
  const folder = new URL('../journey-stories/', import.meta.url)
  const stories = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  let count = 0
  for (const { name } of stories) {
    const story = parseStory(readFileSync(new URL(`${name}/story.txt`, folder), 'utf8'))
    const said = story.looks.flatMap((poll) => poll.said.map(({ line }) => line.observation))
    if (said.length === 0) continue
    const received = heardAsStatements(said)
    // The stories take a place's zone from a list of their own.
    const words = (each: Observation) => JSON.stringify([each.kind, each.equipment, each.statedAt, naturalKeyOf(each)])
    assert.deepEqual([...new Set(received.map(words))].toSorted(), [...new Set(said.map(words))].toSorted(), name)
    count += said.length
  }
  assert.ok(count > 100)
})
