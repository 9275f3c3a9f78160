/** Which receivers of moves get which. */

import type { Db } from '../../db/database.ts'
import type { Service } from '../service.ts'
import type { WebhookFormat, WebhookMoveFilter } from '../webhooks/webhooks-sql.ts'
import { edifactCodeOf, x12CodeOf } from './edi-codes.ts'
import { toMoveStatement } from './move-statement.ts'
import { type Move, type MoveFilter, readMoves, readMovesOfEvents } from './moves-sql.ts'

/** An event, numbered or about to be. */
interface EventReference {
  readonly accountId: string
  /** What the event is about. */
  readonly referenceId: string
}

/** A receiver, with the members that decide what it gets. Our own documents express everything, with a format null. */
interface MoveReceiver {
  readonly format: WebhookFormat | null
  readonly narrowing: WebhookMoveFilter | null
}

/** The moves that these events report, by the id of what the event is about. */
export async function readReferencedMoves(
  db: Db,
  events: readonly EventReference[],
): Promise<ReadonlyMap<string, Move>> {
  if (events.length === 0) return new Map()
  const moves = await readMoves(db, {
    accountIds: [...new Set(events.map(({ accountId }) => accountId))],
    ids: events.map(({ referenceId }) => referenceId),
  })
  return new Map(moves.map((move) => [move.id, move]))
}

/** Whether the receiver gets it: its form can express the move, and the move is one of those it requested. */
export function isMoveWanted({ format, narrowing }: MoveReceiver, move: Move | undefined): boolean {
  if (format === null) return true
  return move !== undefined && isExpressible(move, format) && matchesMoveFilter(move, narrowing?.filter ?? null)
}

function matchesMoveFilter(move: Move, filter: MoveFilter | null): boolean {
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
export async function readNotificationMoves(
  { pool }: Pick<Service, 'pool'>,
  notifications: readonly { readonly accountId: string; readonly eventId: string }[],
): Promise<readonly (Move | null)[]> {
  const byEvent = await readMovesOfEvents(pool, {
    accountIds: [...new Set(notifications.map(({ accountId }) => accountId))],
    eventIds: notifications.map(({ eventId }) => eventId),
  })
  return notifications.map(({ eventId }) => byEvent.get(eventId) ?? null)
}

/** Which moves each form of message can express without a guess. */
function isExpressible(move: Move, format: WebhookFormat): boolean {
  switch (format) {
    case 'dcsa_2':
    case 'dcsa_3':
      return (toMoveStatement(move)?.at ?? null) !== null
    case 'x12_315':
      return x12CodeOf(move) !== null
    case 'iftsta':
      return edifactCodeOf(move) !== null
  }
}
