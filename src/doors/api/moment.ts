/** `as_of` and `provenance`: a route that has them reads as of a moment, through a service that sees what was known then. */

import type { FastifyReply, FastifyRequest } from 'fastify'
import { checkAsOf } from '../../service/proving/explain/as-of.ts'
import { type Explained, explainValue, findShipmentId } from '../../service/proving/explain/explain-value.ts'
import { withStateAt } from '../../service/proving/explain/state-at.ts'
import type { View } from './answer.ts'
import { callerOf, setCaller } from './caller.ts'
import { booleanFilter, momentFilter } from './filters.ts'
import { explainReading } from './resources/provenance.ts'
import type { Reading } from './resources.ts'

export const momentFilters = {
  asOf: momentFilter(
    'as_of',
    'What was known then, folded anew from the ledger. Not in the future; 404 before it existed.',
  ),
  provenance: booleanFilter(
    'provenance',
    'Adds `meta.provenance`: for each attribute who said so, which rule won, and who lost and why.',
  ),
}

/** Runs the route over the state of that moment; over the present one when none is asked for. */
export async function asOfMoment(
  request: FastifyRequest,
  asked: { readonly of: Explained; readonly asOf: string | null },
  answer: () => Promise<FastifyReply>,
): Promise<FastifyReply> {
  if (asked.asOf === null) return answer()
  const { service, context } = callerOf(request)
  const asOf = checkAsOf(service, context, asked.asOf)
  const shipmentId = await findShipmentId(service, context, asked.of)
  return withStateAt(service, context, { shipmentId, asOf }, async (then) => {
    setCaller(request, { service: then, context })
    try {
      return await answer()
    } finally {
      setCaller(request, { service, context })
    }
  })
}

/** Has the reading's document say where each of its attributes comes from; of those that are shown. */
export async function explainIfAsked(
  request: FastifyRequest,
  reading: Extract<Reading, { type: Explained['type'] }>,
  asked: { readonly isAsked: boolean | null; readonly view: View },
): Promise<void> {
  if (asked.isAsked !== true) return
  const { service, context } = callerOf(request)
  const { type, id } = reading
  const explained = await explainValue(service, context, { of: { type, id }, value: null })
  const shown = asked.view.fields.get(type)
  const isShown = (value: string) => shown === undefined || shown.has(value.split('.', 1)[0] ?? value)
  explainReading(
    reading,
    explained.filter(({ value }) => isShown(value)),
  )
}
