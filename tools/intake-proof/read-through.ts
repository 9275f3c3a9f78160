/** Sends sendings through the readers alone, in the given order: a fast result without a database. */

import { compareReading } from '../../src/service/ledger/absorb.ts'
import type { Fold } from '../../src/service/ledger/fold.ts'
import { projectAt } from '../../src/service/ledger/project.ts'
import { standingClaims } from '../../src/service/ledger/state-rows.ts'
import { takeIn } from '../../src/service/ledger/take-in.ts'
import type { SpokenOf } from '../../src/sources/told.ts'
import { findToldSource } from '../../src/sources/told-registry.ts'
import type { SaidClaims } from '../../src/store/journey-state/state.ts'
import { joinSendings, profileOf, type Sending } from './deliveries.ts'
import { endOf } from './end.ts'
import { speakerOf } from './expected.ts'
import type { Journey } from './journeys.ts'

const accountId = '00000000-0000-4000-8000-000000000001'

export interface ReadThrough {
  readonly end: readonly string[]
  /** What the readers and cutters reported against the writers' output. */
  readonly faults: readonly string[]
}

export function readThrough(
  fold: Fold,
  { scac, asked }: Pick<Journey, 'scac' | 'asked'>,
  sendings: readonly Sending[],
  now: string,
): ReadThrough {
  let said: SaidClaims = new Map()
  const faults: string[] = []
  for (const sending of sendings) {
    const { language, by } = sending
    const source = findToldSource(language)
    if (source === null) throw new Error(`no channel can speak ${language}`)
    const profile = profileOf(language, scac)
    const cut = source.partsOf(joinSendings(language, [sending]), profile)
    faults.push(...cut.faults.map(({ detail }) => `${language}: ${detail}`))
    for (const part of cut.parts) {
      const snapshot = { status: 200, contentType: null, body: part.body, fetchedAt: now }
      const speaker = speakerOf(by, scac)
      const subject = part.about[0] as SpokenOf
      const reading = source.read(snapshot, { speaker: speaker.kind, subject }, profile)
      faults.push(...reading.issues.map(({ kind, detail }) => `${language}: ${kind} ${detail}`))
      const change = compareReading(standingClaims(said), {
        accountId,
        subjectId: `${by} ${subject.kind} ${subject.number}`,
        shipmentId: null,
        snapshotId: null,
        source: speaker,
        hand: 'first',
        message: { writtenAt: part.writtenAt, deliveryKey: part.deliveryKey },
        observations: reading.observations,
        withdrawn: reading.withdrawn,
        isFullPicture: reading.statedFullPicture,
        recordedAt: now,
      })
      said = takeIn(said, change, { at: now, snapshotId: null, reader: 'proof/1' })
    }
  }
  const kind = asked.type === 'booking_number' ? 'booking' : asked.type
  const request = { kind, number: asked.number, requestedAt: now } as const
  return {
    end: endOf(projectAt(fold, { scac, request, claims: standingClaims(said), previous: null, now })),
    faults,
  }
}
