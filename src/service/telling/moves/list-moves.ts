/** The moves of an account's boxes, for those who read them as messages of a standard. */

import type { Cursor, Page } from '../../../store/lists/page.ts'
import { listMoves, type Move, type MoveFilter, readMoves } from '../../../store/telling/moves.ts'
import { type Context, requireScope } from '../../context.ts'
import { notFound } from '../../errors.ts'
import type { Service } from '../../service.ts'

export interface MovesAsked {
  readonly filter: MoveFilter
  readonly isDescending: boolean
  readonly limit: number
  readonly cursor: Cursor | null
  /** Also moves that were withdrawn: see `listMoves`. */
  readonly withRetracted: boolean
}

export async function listAccountMoves(
  service: Service,
  context: Context,
  asked: MovesAsked,
): Promise<Page<Move>> {
  requireScope(context, 'read')
  return listMoves(service.pool, { ...asked, accountId: context.account.id })
}

/** One that was replaced or withdrawn is not found. */
export async function getMove(
  service: Service,
  context: Context,
  { id }: { readonly id: string },
): Promise<Move> {
  requireScope(context, 'read')
  const [move] = await readMoves(service.pool, { accountIds: [context.account.id], ids: [id] })
  if (move === undefined || move.invalidatedAt !== null) throw notFound('event')
  return move
}
