/** Makes a milestone of the statement that is believed. */

import type { Call } from '../journey/journey.ts'
import type { Statement } from '../statements/statement.ts'
import type { Milestone, MilestoneName } from '../view/projection.ts'

export function buildMilestone(
  kind: Milestone['kind'],
  name: MilestoneName,
  call: Pick<Call, 'key'>,
  statement: Statement,
): Milestone {
  const { event, claim } = statement
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
