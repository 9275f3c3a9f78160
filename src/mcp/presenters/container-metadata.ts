/** What an agent may say about a container after an answer, what it may not say, and how old the data is. */

import { msBetween } from '../../domain/values/time.ts'
import { isFetched, type Phase, phaseOf } from '../../domain/view/phase.ts'
import { type Doubt, doubtAbout } from '../../domain/view/urgency.ts'
import type { ContainerReading } from '../../modules/containers/list-containers-sql.ts'
import type { ShipmentReading } from '../../modules/shipments/list-shipments-sql.ts'
import { numberOrNull, object, text, textOrNull, texts } from '../tool/schema.ts'
import { writeInstant } from './local-time.ts'

export interface ContainerParts {
  readonly container: ContainerReading
  readonly shipment: ShipmentReading
  /** The clock of the account's journeys. */
  readonly now: string
}

export const containerMetadata = object({
  container_state: text,
  can_answer: texts,
  needs_more_data_for: texts,
  presentation_guidance: text,
  suggestions: texts,
  sources_last_answered: textOrNull,
  hours_since_answer: numberOrNull,
})

const hourMs = 3_600_000

export function writeContainerMetadata({ container, shipment, now }: ContainerParts) {
  const { projection } = container
  const state = phaseOf(container.status, projection.deliveredAt)
  const hasLfd = Object.values(projection.freeTime).some((day) => day !== null)
  const hasTerminal = projection.available !== null || projection.holds.length > 0
  const { ata, eta } = projection.portOfDischarge
  const answered = shipment.lastSucceededAt
  const hours = answered === null ? null : Math.round(msBetween({ from: answered, to: now }) / hourMs)
  const isOver = isFetched(state)
  return {
    container_state: state,
    can_answer: [
      'status',
      'milestones',
      ...(eta === null || ata !== null ? [] : ['arrival estimate']),
      ...(ata === null ? [] : ['arrival']),
      ...(hasLfd ? ['last free day'] : []),
      ...(hasTerminal ? ['availability', 'holds', 'fees'] : []),
    ],
    needs_more_data_for: [
      ...(hasLfd || isOver ? [] : ['last free day: no source has given one']),
      ...(hasTerminal || isOver ? [] : ['availability, holds, fees: no terminal has reported']),
      ...(eta === null && ata === null && (state === 'at_sea' || state === 'before_departure')
        ? ['arrival estimate: no source has given one']
        : []),
      'demurrage rates: not tracked; never state a daily rate',
    ],
    presentation_guidance: writeGuidance(state, describeAge(hours, doubtAbout(shipment, now))),
    suggestions: [
      ...(isOver ? [] : ['get_container_route', 'refresh_container']),
      'get_container_transport_events',
      'explain_value',
    ],
    sources_last_answered: answered === null ? null : writeInstant(answered, null),
    hours_since_answer: hours,
  }
}

/** Questions that the user may ask next. */
export function followUpsOf(state: Phase): readonly string[] {
  switch (state) {
    case 'at_terminal':
      return ['Who gave the last free day?', 'Should the sources be polled again now?']
    case 'before_departure':
    case 'at_sea':
      return ['Which way does it go?', 'Who gave the arrival estimate, and has it moved?']
    case 'inland':
      return ['Where is it on its way inland?', 'Should the sources be polled again now?']
    default:
      return ['What happened, in order?']
  }
}

function writeGuidance(state: Phase, age: string): string {
  const first =
    state === 'at_terminal'
      ? 'Lead with last free day, holds and availability.'
      : state === 'at_sea' || state === 'before_departure'
        ? 'Lead with the arrival estimate and who gave it; call estimates estimates.'
        : 'Lead with the last thing that happened.'
  return `${first} ${age}`
}

function describeAge(hours: number | null, doubt: Doubt | null): string {
  if (doubt?.kind === 'stopped') return 'Say that tracking has stopped and this may be out of date.'
  if (hours === null) return 'Say that no source has answered yet.'
  const age = `sources last answered ${hours} hours ago.`
  return doubt === null ? `The ${age}` : `Say that the ${age}`
}
