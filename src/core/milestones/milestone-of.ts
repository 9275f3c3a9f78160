/** Makes a milestone of the statement that is believed. */

import type { Call } from '../journey/journey.ts'
import type { Milestone, MilestoneName } from '../shown/projection.ts'
import type { Statement } from '../statements/statement.ts'

export function milestoneOf(
  kind: Milestone['kind'],
  name: MilestoneName,
  call: Pick<Call, 'key'>,
  told: Statement,
): Milestone {
  const { event, claim } = told
  return {
    kind,
    name,
    callKey: call.key,
    time: event.time,
    place: event.place,
    vessel: event.vessel,
    voyage: event.voyage,
    source: claim.source.kind,
    claimId: claim.id,
  }
}
