/** The parts of one container's projection, as they were decided on the way to it. An explanation is made from them. */

import type { Journey } from '../journey/journey.ts'
import type { Railways } from '../journey/railways.ts'
import type { NamedPlaces, Roles } from '../journey/roles.ts'
import type { FactClaim } from '../journey/trip.ts'
import type { JourneyStep } from '../milestones/milestones.ts'
import type { Statement } from '../statements/statement.ts'
import type { ContainerProjection } from '../view/projection.ts'

export interface ContainerDerivation {
  readonly container: ContainerProjection
  readonly facts: readonly FactClaim[]
  /** Those of `facts` that still hold at the place of pick-up. */
  readonly factsOfPickup: readonly FactClaim[]
  /**
   * Whether the claim is about this container. A claim about the whole bill is, when this is the only container of the
   * bill.
   */
  readonly isAboutContainer: (claim: FactClaim) => boolean
  readonly named: NamedPlaces
  readonly journey: Journey
  readonly roles: Roles
  readonly steps: readonly JourneyStep[]
  readonly railways: Railways
  readonly podShip: Statement | null
}
