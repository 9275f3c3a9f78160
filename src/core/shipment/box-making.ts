/** The parts of one container's projection, as they were settled on the way to it: what an explanation is read off. */

import type { Journey } from '../journey/journey.ts'
import type { Railways } from '../journey/railways.ts'
import type { NamedPlaces, Roles } from '../journey/roles.ts'
import type { FactClaim } from '../journey/trip.ts'
import type { TakenStep } from '../milestones/milestones.ts'
import type { ContainerProjection } from '../shown/projection.ts'
import type { Statement } from '../statements/statement.ts'

export interface BoxMaking {
  readonly container: ContainerProjection
  readonly facts: readonly FactClaim[]
  /** Of the facts, those that still hold where it is picked up. */
  readonly factsOfPickup: readonly FactClaim[]
  /** Whether what is said of the whole bill is said of this box. */
  readonly isOfBox: (claim: FactClaim) => boolean
  readonly named: NamedPlaces
  readonly journey: Journey
  readonly roles: Roles
  readonly steps: readonly TakenStep[]
  readonly railways: Railways
  readonly podShip: Statement | null
}
