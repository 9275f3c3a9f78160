/** The moves of an account's containers, for those who read them as messages of a standard. */

import type { Cursor, Page } from '../../db/listing/page.ts'
import { type Context, requireScope } from '../access/context.ts'
import { notFound } from '../errors.ts'
import type { Service } from '../service.ts'
import { listMoves, type Move, type MoveFilter, readMoves } from './moves-sql.ts'

export interface MoveQuery {
  readonly filter: MoveFilter
  readonly isDescending: boolean
  readonly limit: number
  readonly cursor: Cursor | null
  /** Also moves that were withdrawn: see `listMoves`. */
  readonly withRetracted: boolean
}

export async function listAccountMoves(service: Service, context: Context, query: MoveQuery): Promise<Page<Move>> {
  requireScope(context, 'read')
  return listMoves(service.pool, { ...query, accountId: context.account.id })
}

/** One that was replaced or withdrawn is not found. */
export async function getMove(service: Service, context: Context, { id }: { readonly id: string }): Promise<Move> {
  requireScope(context, 'read')
  const [move] = await readMoves(service.pool, { accountIds: [context.account.id], ids: [id] })
  if (move === undefined || move.invalidatedAt !== null) throw notFound('event')
  return move
}
