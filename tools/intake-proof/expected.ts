/**
 * The expected result of sayings: they become claims one by one, in the order of writing, under their speakers' own
 * keys, and are projected once. No reader, no database and no order of receipt has any influence.
 */

import type { Source } from '../../src/core/statements/observation.ts'
import { compareReading } from '../../src/service/ledger/absorb.ts'
import type { Fold } from '../../src/service/ledger/fold.ts'
import { projectAt } from '../../src/service/ledger/project.ts'
import { standingClaims } from '../../src/service/ledger/state-rows.ts'
import { takeIn } from '../../src/service/ledger/take-in.ts'
import type { SaidClaims } from '../../src/store/journey-state/state.ts'
import { endOf } from './end.ts'
import { byMoment, type Journey, type Saying } from './journeys.ts'

const accountId = '00000000-0000-4000-8000-000000000001'
const terminalCode = 'W185'

export function speakerOf(by: Saying['by'], scac: string): Source {
  return by === 'line' ? { kind: 'shipping_line', code: scac } : { kind: 'terminal', code: terminalCode }
}

export function expectedEnd(
  fold: Fold,
  journey: Journey,
  sayings: readonly Saying[],
  now: string,
): readonly string[] {
  const { scac, asked } = journey
  let said: SaidClaims = new Map()
  for (const { by, writtenAt, observation } of sayings.toSorted(byMoment)) {
    const change = compareReading(standingClaims(said), {
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
    said = takeIn(said, change, { at: now, snapshotId: null, reader: 'proof/1' })
  }
  const kind = asked.type === 'booking_number' ? 'booking' : asked.type
  const request = { kind, number: asked.number, requestedAt: now } as const
  return endOf(projectAt(fold, { scac, request, claims: standingClaims(said), previous: null, now }))
}
