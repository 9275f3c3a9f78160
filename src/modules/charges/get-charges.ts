/** The charges of one container: read from its projection, the terms on record and now. Nothing of it is stored. */

import type { ChargedContainer } from '../../domain/charges/evidence.ts'
import { type ContainerCharges, calculateCharges } from '../../domain/charges/read-charges.ts'
import type { TermsBook } from '../../domain/charges/terms-book.ts'
import { addDays, localDateIn } from '../../domain/values/time.ts'
import { type Context, requireScope } from '../access/context.ts'
import { notFound, ServiceError } from '../errors.ts'
import { checkAsOf } from '../provenance/check-as-of.ts'
import { deriveShipmentWithClaims } from '../provenance/derivations.ts'
import { findShipmentId } from '../provenance/explain-value.ts'
import { withStateAt } from '../provenance/state-at.ts'
import { journeyNow, type Service } from '../service.ts'
import { readTermsBook } from './charge-book.ts'
import { claimsForContainer, isHoldClaim } from './charged-containers.ts'
import { chargeClaimsOf } from './charged-containers-sql.ts'

/** Days of the forecast after today: the default, and the maximum. */
const daysAhead = { usual: 14, max: 366 }

export interface ChargesReading extends ContainerCharges {
  readonly now: string
  readonly until: string
}

/** `asOf`: null for the present state. `until`: the last day of the forecast; null for two weeks. */
export async function getCharges(
  service: Service,
  context: Context,
  input: { readonly containerId: string; readonly asOf: string | null; readonly until: string | null },
): Promise<ChargesReading> {
  requireScope(context, 'read')
  const { asOf } = input
  const now = asOf === null ? journeyNow(service, context.account.isSandbox) : checkAsOf(service, context, asOf)
  const until = checkUntil(input.until, now)
  const book = await readTermsBook(service.pool, { accountId: context.account.id, until: asOf })
  const read = await readContainerCharges(service, context, { ...input, book, now, until })
  return { ...read, now, until }
}

/** The charges of a container by a book of terms. `asOf`: null for the present state, else `now`. */
export async function readContainerCharges(
  service: Service,
  context: Context,
  of: {
    readonly containerId: string
    readonly book: TermsBook
    readonly now: string
    readonly until: string
    readonly asOf: string | null
  },
): Promise<ContainerCharges> {
  const { containerId, book, now, until, asOf } = of
  const shipmentId = await findShipmentId(service, context, { type: 'container', id: containerId })
  const read = async (then: Service): Promise<ContainerCharges> =>
    calculateCharges(await readChargedContainer(then, context, { shipmentId, containerId }), book, {
      now,
      until,
    })
  return asOf === null ? read(service) : withStateAt(service, context, { shipmentId, asOf: now }, read)
}

async function readChargedContainer(
  service: Service,
  context: Context,
  of: { readonly shipmentId: string; readonly containerId: string },
): Promise<ChargedContainer> {
  const accountId = context.account.id
  const { state, containers: containerDerivations } = await deriveShipmentWithClaims(service, {
    accountId,
    shipmentId: of.shipmentId,
  })
  const made = containerDerivations.get(of.containerId)
  const stored = state.containers.find(({ id }) => id === of.containerId)
  if (made === undefined || stored === undefined) throw notFound('container')
  const { number } = stored.projection
  const claims = await chargeClaimsOf(service.pool, { accountId, shipmentIds: [of.shipmentId] })
  return {
    // The stored one: the history of availability is in it.
    container: stored.projection,
    scac: state.scac,
    bill: state.projection.billOfLadingNumber,
    holdClaims: claimsForContainer(claims, number).filter(isHoldClaim),
    facts: made.facts,
  }
}

function checkUntil(until: string | null, now: string): string {
  const today = localDateIn(now, null)
  if (until === null) return addDays(today, daysAhead.usual)
  if (until <= addDays(today, daysAhead.max)) return until
  throw new ServiceError('invalid', `A forecast goes ${daysAhead.max} days ahead at most.`, {
    source: { parameter: 'until' },
  })
}
