import assert from 'node:assert/strict'
import test from 'node:test'
import { compareJourney, type Served } from './compare-journey.ts'
import type { Asked, Truth, Word } from './truth.ts'

const asked: Asked = { scac: 'EGLV', kind: 'container', number: 'EGHU7017158' }
const now = '2026-10-12T00:00:00.000Z'
const [cameIn, day] = ['2026-10-05T05:10:00.000Z', '2026-10-05T04:00:00.000Z']

/** The vessel came in at 01:10 in Miami; the line states only the day. */
const word: Word = {
  id: 'e1',
  box: asked.number,
  booking: null,
  code: 'ARRI',
  load: null,
  place: 'USMIA',
  call: null,
  atBerth: false,
  at: day,
  dayEnds: '2026-10-06T04:00:00.000Z',
}

function problemsOf(arrival: Partial<Served>, told: Word = word): readonly string[] {
  const lifted: Word = { ...word, id: 'e2', code: 'DISC', load: 'LADEN', at: '2026-10-06T04:00:00.000Z' }
  const truth: Truth = {
    journeys: [
      {
        booking: 'B1',
        bill_of_lading: 'B1',
        containers: [
          {
            number: asked.number,
            at_port: { place: 'USMIA' },
            at_ramp: null,
            events: [
              { event: 'ARRI', load: 'LADEN', mode: 'VESSEL', place: 'USMIA', at: cameIn },
              {
                event: 'DISC',
                load: 'LADEN',
                mode: 'VESSEL',
                place: 'USMIA',
                at: '2026-10-06T14:00:00.000Z',
              },
            ],
          },
        ],
      },
    ],
    words: [told, lifted],
  }
  const served: readonly Served[] = [
    {
      box: asked.number,
      name: 'vessel_discharged',
      unlocode: 'USMIA',
      at: lifted.at,
      source: 'shipping_line',
    },
    {
      box: asked.number,
      name: 'vessel_arrived',
      unlocode: 'USMIA',
      at: day,
      source: 'shipping_line',
      ...arrival,
    },
  ]
  return compareJourney(asked, truth, served, { now }).problems
}

test('a date from the line may be served as a time from AIS within that day', () => {
  assert.deepEqual(problemsOf({}), [])
  assert.deepEqual(problemsOf({ at: '2026-10-05T06:52:27.935Z', source: 'ais' }), [])
})

test('reports an AIS time on another day than the date from the line as a fault', () => {
  assert.match(problemsOf({ at: '2026-10-06T04:00:00.000Z', source: 'ais' }).join(), /was said and is not served/)
  assert.match(problemsOf({ at: '2026-10-05T06:52:27.935Z' }).join(), /was said and is not served/)
  assert.match(
    problemsOf({ at: '2026-10-05T06:52:27.935Z', source: 'ais' }, { ...word, at: cameIn, dayEnds: null }).join(),
    /was said and is not served/,
  )
})

test('a terminal may correct a time of the line to the true time, and to no other', () => {
  assert.deepEqual(problemsOf({ at: cameIn, source: 'terminal' }), [])
  assert.match(problemsOf({ at: '2026-10-05T05:11:00.000Z', source: 'terminal' }).join(), /was said and is not served/)
})

test('an arrival at a berth may be served as a berthing, and an arrival at the port may not', () => {
  const berthed = { ...word, at: cameIn, dayEnds: null, atBerth: true }
  assert.deepEqual(problemsOf({ name: 'vessel_berthed', at: cameIn }, berthed), [])
  assert.match(
    problemsOf({ name: 'vessel_berthed', at: cameIn }, { ...berthed, atBerth: false }).join(),
    /vessel_berthed USMIA .* is served and nobody said so/,
  )
})
