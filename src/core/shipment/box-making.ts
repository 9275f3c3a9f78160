/** The parts of one container's projection, as they were decided on the way to it. An explanation is made from them. */

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
  /** Those of `facts` that still hold at the place of pick-up. */
  readonly factsOfPickup: readonly FactClaim[]
  /** Whether the claim is about this box. A claim about the whole bill is, when this is the only box of the bill. */
  readonly isOfBox: (claim: FactClaim) => boolean
  readonly named: NamedPlaces
  readonly journey: Journey
  readonly roles: Roles
  readonly steps: readonly TakenStep[]
  readonly railways: Railways
  readonly podShip: Statement | null
}
