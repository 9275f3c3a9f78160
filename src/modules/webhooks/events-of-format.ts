/**
 * Which events each form of message can express: moves that have a code there, and in DCSA 3.0 that one is withdrawn.
 */

import { movedNames, type StandardMoveName } from '../../domain/milestones/standard-move.ts'
import { estimatedMilestoneNames } from '../../domain/view/projection.ts'
import type { WebhookFormat } from './webhooks-sql.ts'

export const retracted = 'container.transport.retracted'

/** The events of a milestone: that it has happened and, for some, that it is expected. */
export function eventsOfMove(name: StandardMoveName): readonly string[] {
  const isEstimated = estimatedMilestoneNames.some((each) => each === name)
  return [`container.transport.${name}`, ...(isEstimated ? [`container.transport.estimated.${name}`] : [])]
}

export function eventsOfFormat(format: WebhookFormat): readonly string[] {
  const moves = movedNames.flatMap(eventsOfMove)
  return format === 'dcsa_3' ? [...moves, retracted] : moves
}
