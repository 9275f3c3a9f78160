/**
 * The steps of a journey in order: what has happened, then what lies ahead by the route. An estimate that is an event
 * and a movement of the route is one step. Deadlines are no steps.
 */

import type { TransportEvent } from '../../../sdk/typescript/src/description.generated.ts'
import type { AnswerOf } from '../api/connection.ts'
import { Joined } from '../api/joined.ts'
import { isEstimate } from '../words/names.ts'

export type StepIs = 'actual' | 'estimated' | 'planned'
export type Step =
  | { readonly kind: 'event'; readonly event: TransportEvent; readonly is: StepIs }
  | { readonly kind: 'move'; readonly move: Move }

/** A departure or an arrival that has a time and has not happened. */
export interface Move {
  readonly key: string
  /** Name of the milestone, such as `transshipment_arrived`. */
  readonly event: string
  readonly is: 'estimated' | 'planned'
  readonly at: string
  readonly isDay: boolean
  readonly zone: string | null
  readonly place: string | null
  readonly code: string | null
  readonly vessel: string | null
  readonly voyage: string | null
}

export function movesOf(answer: AnswerOf<'/v2/containers/{id}/route'>): readonly Move[] {
  const joined = new Joined(answer)
  return joined.many(answer.data.relationships?.route_locations).flatMap((stop) => {
    const { attributes, relationships, meta, id } = stop
    const port = joined.one(relationships?.port)?.attributes
    const here = {
      zone: meta?.timezone ?? null,
      place: port?.name ?? null,
      code: port !== undefined && 'code' in port ? (port.code ?? null) : null,
    }
    const move = (
      way: 'inbound' | 'outbound',
      at: string | null | undefined,
      vessel: Parameters<typeof joined.one>[0],
    ): readonly Move[] => {
      const ahead = meta?.[`${way}_ahead`] ?? null
      if (ahead === null || !at) return []
      const ship = joined.one(vessel) as { readonly attributes: { readonly name?: string } } | null
      return [
        {
          ...here,
          key: `${id} ${way}`,
          event: ahead.event,
          is: ahead.classifier,
          isDay: ahead.is_day,
          at,
          vessel: ship?.attributes.name ?? null,
          voyage: attributes[`${way}_voyage_number`] ?? null,
        },
      ]
    }
    return [
      ...move('inbound', attributes.inbound_eta_at, relationships?.inbound_vessel),
      ...move('outbound', attributes.outbound_etd_at, relationships?.outbound_vessel),
    ]
  })
}

export function stepsOf(events: readonly TransportEvent[], moves: readonly Move[]): readonly Step[] {
  const steps = events.filter((event) => !nameOf(event).startsWith('container.pickup_'))
  const estimates = steps.filter((event) => isEstimate(nameOf(event)))
  const matched = new Set<TransportEvent>()
  const ahead = moves.map((move): Step => {
    const event = estimates.find((each) => isSame(each, move))
    if (event === undefined) return { kind: 'move', move }
    matched.add(event)
    return { kind: 'event', event, is: move.is }
  })
  const stepOf = (is: StepIs) => (event: TransportEvent) => ({ kind: 'event', event, is }) as const
  return [
    ...steps.filter((event) => !estimates.includes(event)).map(stepOf('actual')),
    ...ahead,
    ...estimates.filter((event) => !matched.has(event)).map(stepOf('estimated')),
  ]
}

export function codeOf(step: Step): string | null {
  return step.kind === 'move' ? step.move.code : (step.event.attributes.location_locode ?? null)
}

export function keyOf(step: Step): string {
  return step.kind === 'move' ? step.move.key : step.event.id
}

function nameOf(event: TransportEvent): string {
  return event.attributes.event ?? ''
}

function isSame(event: TransportEvent, move: Move): boolean {
  return nameOf(event).endsWith(`.estimated.${move.event}`) && event.attributes.location_locode === move.code
}
