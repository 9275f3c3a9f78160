/**
 * `as_of` and `provenance`. A route that has them can answer as of an earlier moment, through a service that sees what
 * was known then.
 */

import type { FastifyReply, FastifyRequest } from 'fastify'
import { checkAsOf } from '../../modules/provenance/check-as-of.ts'
import { type ExplainTarget, explainValue, findShipmentId } from '../../modules/provenance/explain-value.ts'
import { withStateAt } from '../../modules/provenance/state-at.ts'
import type { Caller } from '../callers/caller.ts'
import { callerOf } from '../callers/request-caller.ts'
import type { Provenance } from '../json-api/document.ts'
import type { Reading } from '../json-api/resource-kinds.ts'
import { booleanFilter, type Filter, momentFilter } from '../query/filters.ts'
import type { View } from './send.ts'

/** A time without a fraction is its whole second, so that a time that was shown finds what happened then. */
export function asOfFilter(description: string): Filter<string | null> {
  return momentFilter('as_of', description, { isEnd: true })
}

export const momentFilters = {
  asOf: asOfFilter(
    'Shows what was known at that time. It must not be in the future. 404 if the resource did not exist then.',
  ),
  provenance: booleanFilter(
    'provenance',
    'Adds `meta.provenance`: for each attribute its source, the rule that chose it, and the values that were not chosen, with the reason.',
  ),
}

/**
 * Calls `answer` with a caller that sees the state of that moment, or the present state when no moment is requested.
 */
export async function answerAsOf(
  request: FastifyRequest,
  target: { readonly of: ExplainTarget; readonly asOf: string | null },
  answer: (caller: Caller) => Promise<FastifyReply>,
): Promise<FastifyReply> {
  const { service, context } = callerOf(request)
  if (target.asOf === null) return answer({ service, context })
  const asOf = checkAsOf(service, context, target.asOf)
  const shipmentId = await findShipmentId(service, context, target.of)
  return withStateAt(service, context, { shipmentId, asOf }, (then) => answer({ service: then, context }))
}

/** The sources of those attributes of the reading that are shown. Empty when the request does not include them. */
export async function explainIfRequested(
  { service, context }: Caller,
  reading: Extract<Reading, { type: ExplainTarget['type'] }>,
  options: { readonly isRequested: boolean | null; readonly view: View },
): Promise<Provenance> {
  if (options.isRequested !== true) return new Map()
  const { type, id } = reading
  const explained = await explainValue(service, context, { of: { type, id }, value: null })
  const shownFields = options.view.fields.get(type)
  const isShown = (value: string) => shownFields === undefined || shownFields.has(value.split('.', 1)[0] ?? value)
  return new Map([[reading, explained.filter(({ value }) => isShown(value))]])
}
