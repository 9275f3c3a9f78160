/**
 * `as_of` and `provenance`. A route that has them can answer as of an earlier moment, through a service that sees what
 * was known then.
 */

import type { FastifyReply, FastifyRequest } from 'fastify'
import { checkAsOf } from '../../../service/proving/explain/as-of.ts'
import {
  type Explained,
  explainValue,
  findShipmentId,
} from '../../../service/proving/explain/explain-value.ts'
import { withStateAt } from '../../../service/proving/explain/state-at.ts'
import type { Provenance } from '../../documents/document.ts'
import type { Caller } from '../../documents/following/caller.ts'
import type { Reading } from '../../documents/resources.ts'
import { booleanFilter, momentFilter } from '../asking/filters.ts'
import { callerOf } from '../caller/caller.ts'
import type { View } from './answer.ts'

export const momentFilters = {
  asOf: momentFilter(
    'as_of',
    'Shows what was known at that time. It must not be in the future. 404 if the resource did not exist then.',
  ),
  provenance: booleanFilter(
    'provenance',
    'Adds `meta.provenance`: for each attribute its source, the rule that chose it, and the values that were not chosen, with the reason.',
  ),
}

/**
 * Calls `answer` with a caller that sees the state of that moment, or the present state when no moment is asked for.
 */
export async function asOfMoment(
  request: FastifyRequest,
  asked: { readonly of: Explained; readonly asOf: string | null },
  answer: (caller: Caller) => Promise<FastifyReply>,
): Promise<FastifyReply> {
  const { service, context } = callerOf(request)
  if (asked.asOf === null) return answer({ service, context })
  const asOf = checkAsOf(service, context, asked.asOf)
  const shipmentId = await findShipmentId(service, context, asked.of)
  return withStateAt(service, context, { shipmentId, asOf }, (then) => answer({ service: then, context }))
}

/** The sources of those attributes of the reading that are shown. Empty when the request does not ask for them. */
export async function explainIfAsked(
  { service, context }: Caller,
  reading: Extract<Reading, { type: Explained['type'] }>,
  asked: { readonly isAsked: boolean | null; readonly view: View },
): Promise<Provenance> {
  if (asked.isAsked !== true) return new Map()
  const { type, id } = reading
  const explained = await explainValue(service, context, { of: { type, id }, value: null })
  const shown = asked.view.fields.get(type)
  const isShown = (value: string) => shown === undefined || shown.has(value.split('.', 1)[0] ?? value)
  return new Map([[reading, explained.filter(({ value }) => isShown(value))]])
}
