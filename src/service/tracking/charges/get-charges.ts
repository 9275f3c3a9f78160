/** The charges of one container: read from its projection, the terms on record and now. Nothing of it is stored. */

import { type BoxCharges, readCharges } from '../../../core/charges/charges.ts'
import type { ChargedBox } from '../../../core/charges/evidence.ts'
import type { TermsBook } from '../../../core/charges/terms-book.ts'
import { addDays, localDateIn } from '../../../core/values/time.ts'
import { chargeClaimsOf } from '../../../store/read/charged-boxes.ts'
import { type Context, requireScope } from '../../context.ts'
import { notFound, ServiceError } from '../../errors.ts'
import { checkAsOf } from '../../proving/explain/as-of.ts'
import { findShipmentId } from '../../proving/explain/explain-value.ts'
import { readMakings } from '../../proving/explain/makings.ts'
import { withStateAt } from '../../proving/explain/state-at.ts'
import { journeyNow, type Service } from '../../service.ts'
import { readBook } from './charge-book.ts'
import { isOnHolds, wordsOf } from './charged-box.ts'

/** Days of the forecast after today, when nobody says how far it goes, and at most. */
const daysAhead = { usual: 14, max: 366 }

export interface ChargesReading extends BoxCharges {
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
  const now =
    asOf === null ? journeyNow(service, context.account.isFiction) : checkAsOf(service, context, asOf)
  const until = checkUntil(input.until, now)
  const book = await readBook(service.pool, { accountId: context.account.id, until: asOf })
  const read = await readCharged(service, context, { ...input, book, now, until })
  return { ...read, now, until }
}

/** The charges of a container by a book of terms. `asOf`: null for the present state, else `now`. */
export async function readCharged(
  service: Service,
  context: Context,
  of: {
    readonly containerId: string
    readonly book: TermsBook
    readonly now: string
    readonly until: string
    readonly asOf: string | null
  },
): Promise<BoxCharges> {
  const { containerId, book, now, until, asOf } = of
  const shipmentId = await findShipmentId(service, context, { type: 'container', id: containerId })
  const read = async (then: Service): Promise<BoxCharges> =>
    readCharges(await readBox(then, context, { shipmentId, containerId }), book, { now, until })
  return asOf === null ? read(service) : withStateAt(service, context, { shipmentId, asOf: now }, read)
}

async function readBox(
  service: Service,
  context: Context,
  of: { readonly shipmentId: string; readonly containerId: string },
): Promise<ChargedBox> {
  const accountId = context.account.id
  const { state, boxes } = await readMakings(service, { accountId, shipmentId: of.shipmentId })
  const made = boxes.get(of.containerId)
  const stored = state.containers.find(({ id }) => id === of.containerId)
  if (made === undefined || stored === undefined) throw notFound('container')
  const { number } = stored.projection
  const words = await chargeClaimsOf(service.pool, { accountId, shipmentIds: [of.shipmentId] })
  return {
    // The stored one: the history of availability is in it.
    container: stored.projection,
    scac: state.scac,
    bill: state.projection.billOfLadingNumber,
    holdWords: wordsOf(words, number).filter(isOnHolds),
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
