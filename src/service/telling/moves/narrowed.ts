/** Which receivers of moves are to be told of which. */

import type { Db } from '../../../store/database.ts'
import { type Move, type MoveFilter, readMoves, readMovesOfEvents } from '../../../store/telling/moves.ts'
import type { Narrowing, WebhookFormat } from '../../../store/telling/webhooks.ts'
import type { Service } from '../../service.ts'
import { isSayable } from './sayable.ts'

/** An event, numbered or about to be. */
interface Announced {
  readonly accountId: string
  /** What the event is about. */
  readonly referenceId: string
}

/** A receiver, as far as it decides what it is told. Our own documents tell everything, with a format null. */
interface Receiver {
  readonly format: WebhookFormat | null
  readonly narrowing: Narrowing | null
}

/** The moves that these events tell, by the id of what the event is about. */
export async function movesTold(db: Db, events: readonly Announced[]): Promise<ReadonlyMap<string, Move>> {
  if (events.length === 0) return new Map()
  const moves = await readMoves(db, {
    accountIds: [...new Set(events.map(({ accountId }) => accountId))],
    ids: events.map(({ referenceId }) => referenceId),
  })
  return new Map(moves.map((move) => [move.id, move]))
}

/** Whether the receiver is told: its form can say the move, and the move is one of those it asked for. */
export function isTold({ format, narrowing }: Receiver, move: Move | undefined): boolean {
  if (format === null) return true
  return move !== undefined && isSayable(move, format) && isWithin(move, narrowing?.filter ?? null)
}

function isWithin(move: Move, filter: MoveFilter | null): boolean {
  if (filter === null) return true
  const { milestone } = move
  const { bookingNumber, billOfLadingNumber, number, call, vesselImo, voyage, unlocode } = filter
  const isOfCall =
    !call ||
    (move.shipmentId === call.shipmentId &&
      milestone.callKey === call.callKey &&
      (milestone.vessel?.imo ?? null) === call.vesselImo)
  return (
    filter.events.includes(move.event) &&
    isOfCall &&
    isSame(bookingNumber, move.bookingNumber) &&
    isSame(billOfLadingNumber, move.billOfLadingNumber) &&
    isSame(number, move.number) &&
    isSame(vesselImo, milestone.vessel?.imo ?? null) &&
    isSame(voyage, milestone.voyage) &&
    isSame(unlocode, milestone.place.unlocode)
  )
}

function isSame(wanted: string | null | undefined, given: string | null): boolean {
  return !wanted || wanted.toUpperCase() === given?.toUpperCase()
}

/** The move of each notification; null where it is about something else. */
export async function readMovesTold(
  { pool }: Pick<Service, 'pool'>,
  notifications: readonly {
    readonly accountId: string
    readonly eventId: string
    readonly sequence: number
  }[],
): Promise<readonly (Move | null)[]> {
  const byEvent = await readMovesOfEvents(pool, notifications)
  return notifications.map(({ eventId }) => byEvent.get(eventId) ?? null)
}
