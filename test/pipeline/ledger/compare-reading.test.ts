/** The claims of a message are read from the ledger as they were at that time, whatever the reader does today. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applyStatements } from '../../../src/pipeline/ledger/apply-statements.ts'
import { compareReading } from '../../../src/pipeline/ledger/compare-reading.ts'
import { recallIngestion, recordIngestedClaims } from '../../../src/pipeline/ledger/ingest-answer-reading.ts'
import type { EntryOf } from '../../../src/pipeline/ledger/ledger-sql.ts'
import { emptyState, findActiveClaims } from '../../../src/pipeline/ledger/state-rows.ts'
import type { ClaimsById } from '../../../src/pipeline/projection/journey-state-sql.ts'
import { claimsOf } from '../../support/told-in-text.ts'

const accountId = '00000000-0000-4000-8000-000000000001'
const subjectId = '00000000-0000-4000-8000-000000000002'
const reader = 'x12/1'

interface Message {
  readonly day: number
  readonly written: number
  readonly text: string
}

function compareMessage(activeBefore: ClaimsById, { day, written, text }: Message) {
  const change = compareReading(findActiveClaims(activeBefore), {
    accountId,
    subjectId,
    shipmentId: null,
    snapshotId: `snapshot ${day}`,
    source: { kind: 'terminal', code: 'Y258' },
    hand: 'relayed',
    message: { writtenAt: atDay(written), deliveryKey: `m-${day}` },
    observations: claimsOf(text).map(({ observation }) => observation),
    withdrawn: [],
    isFullPicture: false,
    recordedAt: atDay(day),
  })
  return { change, issues: [] }
}

function atDay(day: number): string {
  return `2026-01-${day}T06:00:00.000Z`
}

const messages: readonly Message[] = [
  { day: 20, written: 20, text: 'FACT hold customs:hold terminal:Y258\nFACT weight_kg 9000 terminal:Y258' },
  {
    day: 21,
    written: 10,
    text: 'FACT hold customs:released terminal:Y258\nFACT seal_number S1 terminal:Y258',
  },
  { day: 23, written: 22, text: 'FACT hold customs:hold terminal:Y258' },
  { day: 25, written: 24, text: 'FACT hold customs:released terminal:Y258' },
]

test('restores added, overtaken and moved claims from the ids that a ledger entry records', () => {
  let activeBefore: ClaimsById = new Map()
  for (const message of messages) {
    const compared = compareMessage(activeBefore, message)
    const by = { at: atDay(message.day), snapshotId: `snapshot ${message.day}`, reader }
    const after = applyStatements(activeBefore, compared.change, by)
    const payload = JSON.parse(JSON.stringify({ outcome: null, ...recordIngestedClaims(compared) }))
    const entry = { accountId, recordedAt: by.at, snapshotId: by.snapshotId, payload } as EntryOf<'look'>
    const state = { ...emptyState(accountId), claimsByTarget: new Map([[subjectId, activeBefore]]) }
    const recalled = recallIngestion(state, entry, { subjectId, shipmentId: null }, { claims: after, issues: [] })
    assert.deepEqual(applyStatements(activeBefore, recalled.change, by), after, `message of ${message.day}`)
    activeBefore = after
  }
  const stands = findActiveClaims(activeBefore).map(({ observation, standsAt, deliveryKey }) => [
    observation.kind === 'fact' && observation.fact,
    standsAt,
    deliveryKey,
  ])
  assert.deepEqual(stands.toSorted(), [
    ['hold', atDay(24), 'm-25'],
    ['seal_number', atDay(10), 'm-21'],
    ['weight_kg', atDay(20), 'm-20'],
  ])
})
