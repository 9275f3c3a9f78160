/**
 * The expected result of sayings: they become claims one by one, in the order of writing, under their speakers' own
 * keys, and are projected once. No reader, no database and no order of receipt has any influence.
 */

import type { Claim, Source } from '../../src/domain/statements/observation.ts'
import { applyStatements } from '../../src/pipeline/ledger/apply-statements.ts'
import { compareReading } from '../../src/pipeline/ledger/compare-reading.ts'
import type { Fold } from '../../src/pipeline/ledger/fold.ts'
import { findActiveClaims } from '../../src/pipeline/ledger/state-rows.ts'
import { projectAt } from '../../src/pipeline/ledger/update-projection.ts'
import type { ClaimsById } from '../../src/pipeline/projection/journey-state-sql.ts'
import { endOf } from './end.ts'
import { byMoment, type Journey, type Saying } from './journeys.ts'
import { writeStanding } from './raw-events.ts'

const accountId = '00000000-0000-4000-8000-000000000001'
const terminalCode = 'W185'

export function speakerOf(by: Saying['by'], scac: string): Source {
  return by === 'line' ? { kind: 'shipping_line', code: scac } : { kind: 'terminal', code: terminalCode }
}

export function expectedEnd(fold: Fold, journey: Journey, sayings: readonly Saying[], now: string): readonly string[] {
  const { scac, asked } = journey
  const kind = asked.type === 'booking_number' ? 'booking' : asked.type
  const request = { kind, number: asked.number, requestedAt: now } as const
  const claims = claimsOf(journey, sayings, now)
  return endOf(projectAt(fold, { scac, request, claims, previous: null, now }))
}

export function expectedRawEvents(journey: Journey, sayings: readonly Saying[], now: string): readonly string[] {
  return writeStanding(claimsOf(journey, sayings, now))
}

function claimsOf({ scac }: Journey, sayings: readonly Saying[], now: string): readonly Claim[] {
  let said: ClaimsById = new Map()
  for (const { by, writtenAt, observation } of sayings.toSorted(byMoment)) {
    const change = compareReading(findActiveClaims(said), {
      accountId,
      subjectId: by,
      shipmentId: null,
      snapshotId: null,
      source: speakerOf(by, scac),
      hand: 'first',
      message: { writtenAt, deliveryKey: null },
      observations: [observation],
      withdrawn: [],
      isFullPicture: false,
      recordedAt: now,
    })
    said = applyStatements(said, change, { at: now, snapshotId: null, reader: 'proof/1' })
  }
  return [...said.values()]
}
