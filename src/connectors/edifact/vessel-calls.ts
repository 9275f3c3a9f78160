/**
 * The departure and arrival of the ship that carries a container. An IFTSTA gives them beside a status, as times at the
 * places of the main carriage (`TDT+20`). Only ships are read: partners name the ports of the sea voyage under inland
 * transports too.
 */

import type { EventObservation } from '../../domain/statements/observation.ts'
import type { EventClassifier } from '../../domain/values/codes.ts'
import type { EdifactMessageContext } from './context.ts'
import { codeOf } from './fields.ts'
import { readMoment } from './moment.ts'
import { readPlace } from './place.ts'
import type { Segment } from './segments.ts'
import { observeEvent } from './statements.ts'
import type { StatusGroup } from './status-groups.ts'
import { modeOf, readTransport } from './transport.ts'

type Call = readonly [code: 'DEPA' | 'ARRI', classifier: EventClassifier]

/**
 * Keys are the place (`LOC`: 9 begin of the leg, 11 end of the leg) and element 2005 of an actual or estimated time.
 */
const calls: Readonly<Record<string, Call>> = {
  '9/186': ['DEPA', 'ACT'],
  '9/133': ['DEPA', 'EST'],
  '11/178': ['ARRI', 'ACT'],
  '11/132': ['ARRI', 'EST'],
}

export function readCalls(
  { transports }: StatusGroup,
  containers: readonly (string | null)[],
  of: EdifactMessageContext,
): readonly EventObservation[] {
  return transports.flatMap((transport) => {
    const [carriage] = transport
    const mode = carriage === undefined ? null : modeOf(carriage)
    const isShip = mode === 'VESSEL' || mode === 'BARGE'
    if (carriage === undefined || !isShip || codeOf(carriage, 0) !== '20') return []
    return datedPlaces(transport).flatMap((dated) => readCall(carriage, dated, { containers, of }))
  })
}

interface DatedPlace {
  readonly location: Segment
  readonly date: Segment
}

/** Each time (`DTM`) belongs to the place (`LOC`) before it. */
function datedPlaces(transport: readonly Segment[]): readonly DatedPlace[] {
  let location: Segment | null = null
  return transport.flatMap((segment): readonly DatedPlace[] => {
    if (segment.tag === 'LOC') location = segment
    return segment.tag === 'DTM' && location !== null ? [{ location, date: segment }] : []
  })
}

function readCall(
  carriage: Segment,
  { location, date }: DatedPlace,
  { containers, of }: { readonly containers: readonly (string | null)[]; readonly of: EdifactMessageContext },
): readonly EventObservation[] {
  const original = `${codeOf(location, 0)}/${codeOf(date, 0)}`
  const call = Object.hasOwn(calls, original) ? calls[original] : undefined
  const time = call === undefined ? null : readMoment(date, of.context)
  if (call === undefined || time === null) return []
  const [code, classifier] = call
  const place = readPlace(location, of.context)
  const transport = readTransport(carriage, { isAtSea: false }, of.context)
  return containers.map((equipment) =>
    observeEvent({ classifier, code, load: null, ...transport, time, place, equipment, original }, of.by),
  )
}
