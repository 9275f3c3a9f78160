/** Sends sendings through the readers alone, in the given order: a fast result without a database. */

import type { MentionedNumber } from '../../src/connectors/pushed-source.ts'
import { findPushedSource } from '../../src/connectors/pushed-source-registry.ts'
import { applyStatements } from '../../src/pipeline/ledger/apply-statements.ts'
import { compareReading } from '../../src/pipeline/ledger/compare-reading.ts'
import type { Fold } from '../../src/pipeline/ledger/fold.ts'
import { findActiveClaims } from '../../src/pipeline/ledger/state-rows.ts'
import { projectAt } from '../../src/pipeline/ledger/update-projection.ts'
import type { ClaimsById } from '../../src/pipeline/projection/journey-state-sql.ts'
import { joinSendings, profileOf, type Sending } from './deliveries.ts'
import { endOf } from './end.ts'
import { speakerOf } from './expected.ts'
import type { Journey } from './journeys.ts'
import { writeStanding } from './raw-events.ts'

const accountId = '00000000-0000-4000-8000-000000000001'

export interface ReadThrough {
  readonly end: readonly string[]
  readonly rawEvents: readonly string[]
  /** What the readers and cutters reported against the writers' output. */
  readonly faults: readonly string[]
}

export function readThrough(
  fold: Fold,
  { scac, asked }: Pick<Journey, 'scac' | 'asked'>,
  sendings: readonly Sending[],
  now: string,
): ReadThrough {
  let said: ClaimsById = new Map()
  const faults: string[] = []
  for (const sending of sendings) {
    const { language, by } = sending
    const source = findPushedSource(language)
    if (source === null) throw new Error(`no channel can have the language ${language}`)
    const profile = profileOf(language, scac)
    const cut = source.splitDelivery(joinSendings(language, [sending]), profile)
    faults.push(...cut.faults.map(({ detail }) => `${language}: ${detail}`))
    for (const part of cut.parts) {
      const snapshot = { status: 200, contentType: null, body: part.body, fetchedAt: now }
      const speaker = speakerOf(by, scac)
      const subject = part.about[0] as MentionedNumber
      const reading = source.read(snapshot, { speaker: speaker.kind, messageSubject: subject }, profile)
      faults.push(...reading.issues.map(({ kind, detail }) => `${language}: ${kind} ${detail}`))
      const change = compareReading(findActiveClaims(said), {
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
      said = applyStatements(said, change, { at: now, snapshotId: null, reader: 'proof/1' })
    }
  }
  const kind = asked.type === 'booking_number' ? 'booking' : asked.type
  const request = { kind, number: asked.number, requestedAt: now } as const
  return {
    rawEvents: writeStanding([...said.values()]),
    end: endOf(projectAt(fold, { scac, request, claims: [...said.values()], previous: null, now })),
    faults,
  }
}
