/**
 * The words of documents make the same journey in any order and repeated any times, and it is the journey of their last
 * words alone: what a document does not say any more leaves no trace.
 */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { writeObservation } from '../../../src/core/notation/notation.ts'
import { projectShipment } from '../../../src/core/shipment/shipment.ts'
import { defaultProjectionRules as rules } from '../../../src/core/shown/projection-rules.ts'
import type { Claim } from '../../../src/core/statements/observation.ts'
import { canonicalJson } from '../../../src/core/values/json-value.ts'
import { rampAreaOf } from '../../../src/reference/ramps.ts'
import { nextWords, type SaidBefore } from '../../../src/service/documents/saying/next-words.ts'
import { changeByMessage } from '../../../src/service/ledger/hear.ts'
import { standingClaims } from '../../../src/service/ledger/state-rows.ts'
import { takeIn } from '../../../src/service/ledger/take-in.ts'
import { openDocumentsSource } from '../../../src/sources/documents/said/documents-said.ts'
import {
  type DocumentWord,
  type SaidField,
  type SaidPaper,
  writeWord,
} from '../../../src/sources/documents/said/word.ts'
import type { SaidClaims } from '../../../src/store/journey-state/state.ts'
import { read } from '../../sources/documents/words.ts'
import { shuffled } from '../../support/shuffled.ts'
import { claimsOf } from '../../support/told-in-text.ts'

const source = openDocumentsSource()
const accountId = '00000000-0000-4000-8000-000000000001'
const shipmentId = '00000000-0000-4000-8000-000000000002'
const startMs = Date.UTC(2026, 1, 1)
const at = (minutes: number) => new Date(startMs + minutes * 60_000).toISOString()
const documents = [1, 2, 3].map((place) => `00000000-0000-7000-8000-00000000000${place}`)

const days = fc.constantFrom('2026-02-03', '2026-02-05', '2026-02-08')
const values: Readonly<Record<string, fc.Arbitrary<SaidField['value']>>> = {
  transportDocumentReference: fc.constantFrom('HLCUSHA1', 'HLCUSHA2'),
  issueDate: fc.constantFrom('2026-01-20', '2026-01-25'),
  'containers[0].number': fc.constant('TCNU1234565'),
  'containers[0].sealNumbers[0]': fc.constantFrom('S1', 'S2'),
  'freeTimes[0].lastFreeDate': days,
  'freeTimes[1].statedBy': fc.constant('terminal'),
  'freeTimes[1].lastFreeDate': days,
  isFreightReleased: fc.boolean(),
  'portOfDischarge.name': fc.constantFrom('Los Angeles, CA', 'Oakland, CA'),
  'portOfDischargeArrivalDate.value': days,
  'pickupLocation.firmsCode': fc.constantFrom('Y258', 'W185'),
  generalOrderDate: days,
}
const papers: fc.Arbitrary<SaidPaper> = fc
  .record(values, { requiredKeys: [], noNullPrototype: true })
  .map((given) => ({ type: 'arrival_notice', fields: read(given as Record<string, string>) }))

/** What somebody does with one of the documents, and whether it follows the last at the same moment. */
const deeds = fc.array(
  fc.record({
    document: fc.constantFrom(...documents),
    paper: fc.option(papers, { nil: null, freq: 5 }),
    isAtOnce: fc.boolean(),
  }),
  { minLength: 1, maxLength: 10 },
)

interface Heard {
  readonly word: DocumentWord
  readonly standsAt: string
}

/** All words, in the order in which they were said. */
function wordsOf(all: typeof deeds extends fc.Arbitrary<infer Deeds> ? Deeds : never): readonly Heard[] {
  const last = new Map<string, SaidBefore>()
  let minutes = 0
  return all.flatMap(({ document, paper, isAtOnce }) => {
    minutes += isAtOnce ? 0 : 1
    const now = at(minutes)
    const words = nextWords(last.get(document) ?? null, {
      document,
      paper: paper ?? { type: 'unknown', fields: [] },
      person: null,
      at: now,
      now,
    })
    for (const word of words) last.set(document, { word, saidAt: now })
    return words.map((word) => ({ word, standsAt: now }))
  })
}

/** As a shipment hears them that every word reaches. */
function hear(words: readonly Heard[]): readonly Claim[] {
  const subjects = new Map<string, SaidClaims>()
  for (const [place, { word, standsAt }] of words.entries()) {
    const recordedAt = at(1_000 + place)
    for (const { body, about } of source.partsOf(writeWord(word), {}).parts) {
      const [subject] = about
      if (subject === undefined) continue
      const subjectId = `${subject.kind} ${subject.number}`
      const snapshot = { status: 200, contentType: null, body, fetchedAt: standsAt }
      const reading = source.read(snapshot, { speaker: 'document', subject }, {})
      const said = subjects.get(subjectId) ?? new Map()
      const change = changeByMessage(
        standingClaims(said),
        { reading, scopeOf: () => null },
        {
          accountId,
          shipmentId,
          subjectId,
          snapshotId: null,
          recordedAt,
          source: { kind: 'document', code: word.document },
          hand: 'relayed',
          standsAt,
          deliveryKey: `${word.document} ${word.version}`,
        },
      )
      subjects.set(subjectId, takeIn(said, change, { at: recordedAt, snapshotId: null, reader: 'test/1' }))
    }
  }
  return [...subjects.values()].flatMap(standingClaims)
}

const line = claimsOf(`ACT LOAD LADEN HKHKG 2026-01-08T10:00Z carrier:HLCU box=TCNU1234565
ACT DISC LADEN USLAX 2026-01-24T02:00Z carrier:HLCU box=TCNU1234565`)

function journeyOf(words: readonly Heard[]): unknown {
  const claims = [...line, ...hear(words)]
  const projection = projectShipment({
    claims,
    line: { scac: 'HLCU', isAverageWeight: false },
    request: { kind: 'container', number: 'TCNU1234565' },
    now: at(5_000),
    previous: null,
    rules,
    areaOf: rampAreaOf,
  })
  const told = new Map(
    claims.map(({ id, source: by, observation }) => [
      id,
      writeObservation(observation, by).replace(/ stated=\S+/, ''),
    ]),
  )
  const shown = JSON.parse(JSON.stringify(projection), (_, value) => told.get(value) ?? value)
  return { ...shown, issues: shown.issues.map(canonicalJson).toSorted() }
}

test('the words of documents make the same journey in any order and repeated, and it is that of the last words', () => {
  fc.assert(
    fc.property(deeds, fc.infiniteStream(fc.nat()), (done, chance) => {
      const words = wordsOf(done)
      const again = words.filter(() => (chance.next().value ?? 0) % 2 === 0)
      const expected = journeyOf(words)
      assert.deepEqual(journeyOf(shuffled([...words, ...again], chance)), expected)
      const last = new Map(words.map((each) => [each.word.document, each]))
      assert.deepEqual(journeyOf([...last.values()]), expected, 'nothing is left of earlier words')
    }),
    { numRuns: 300 },
  )
})

test('a document that is corrected a hundred times does not carry a hundred papers', () => {
  let before: SaidBefore | null = null
  for (let place = 0; place < 100; place += 1) {
    const fields = read({
      transportDocumentReference: 'HLCUSHA1',
      'freeTimes[0].lastFreeDate': `2026-02-${String((place % 20) + 1).padStart(2, '0')}`,
      ...(place === 3 && { generalOrderDate: '2026-02-20' }),
    })
    const now = at(place)
    const saying = { document: documents[0] ?? '', person: null, at: now, now }
    const [word] = nextWords(before, { ...saying, paper: { type: 'arrival_notice', fields } })
    assert.ok(word !== undefined)
    before = { word, saidAt: now }
  }
  assert.equal(before?.word.earlier.length, 1, 'the one that said what no other says')
})
