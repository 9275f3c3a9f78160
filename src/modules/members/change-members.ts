/** Members of an account: who they are, what they may do, and how they leave. An account never loses its last owner. */

import { inTransaction } from '../../db/database.ts'
import { type Context, findActingRole, requirePermission, requireScope } from '../access/context.ts'
import { mayAppoint, parseRole, type Role } from '../access/roles.ts'
import { recordChange } from '../audit/record-change.ts'
import { notFound, ServiceError } from '../errors.ts'
import type { Service } from '../service.ts'
import { roleTooHighError } from './invite-member.ts'
import { deleteMembership, listMembers as listRows, lockMembers, type Member, putRole } from './memberships-sql.ts'

/** Longest membership first. Every member sees the others; of keys only one that manages members. */
export async function listMembers(service: Service, context: Context): Promise<readonly Member[]> {
  requireScope(context, 'read')
  if (context.actor.kind !== 'user') requirePermission(context, 'members')
  return listRows(service.pool, { accountId: context.account.id })
}

export async function getMember(
  service: Service,
  context: Context,
  input: { readonly userId: string },
): Promise<Member> {
  const member = (await listMembers(service, context)).find(({ userId }) => userId === input.userId)
  if (member === undefined) throw notFound('member')
  return member
}

export async function changeRole(
  service: Service,
  context: Context,
  input: { readonly userId: string; readonly role: Role },
): Promise<void> {
  requirePermission(context, 'members')
  const accountId = context.account.id
  await inTransaction(service.pool, async (db) => {
    const members = await lockMembers(db, { accountId })
    const before = roleOf(members, input.userId)
    const mine = getOwnRole(members, context)
    if (!mayAppoint(mine, before) || !mayAppoint(mine, input.role)) throw roleTooHighError()
    if (before === 'owner' && input.role !== 'owner') requireOwner(members)
    if (before === input.role) return
    await putRole(db, { accountId, userId: input.userId, role: input.role })
    await recordChange(db, service, context, {
      action: 'membership.updated',
      target: { type: 'membership', id: input.userId },
      diff: { role: [before, input.role] },
    })
  })
}

/**
 * Removes another person, or oneself: everybody may leave. What they made stays. Their sessions no longer see the
 * account.
 */
export async function removeMember(
  service: Service,
  context: Context,
  input: { readonly userId: string },
): Promise<void> {
  const isSelf = context.actor.kind === 'user' && context.actor.id === input.userId
  if (!isSelf) requirePermission(context, 'members')
  const accountId = context.account.id
  await inTransaction(service.pool, async (db) => {
    const members = await lockMembers(db, { accountId })
    const role = roleOf(members, input.userId)
    if (!isSelf && !mayAppoint(getOwnRole(members, context), role)) throw roleTooHighError()
    if (role === 'owner') requireOwner(members)
    await deleteMembership(db, { accountId, userId: input.userId })
    await recordChange(db, service, context, {
      action: 'membership.deleted',
      target: { type: 'membership', id: input.userId },
      diff: { role: [role, null] },
    })
  })
}

/** The role as it is under the lock, so that a person who was just demoted cannot appoint anybody. */
function getOwnRole(members: ReadonlyMap<string, string>, context: Context): Role {
  const { actor } = context
  const role = actor.kind === 'user' ? roleOf(members, actor.id) : findActingRole(context)
  if (role === null) throw roleTooHighError()
  return role
}

function roleOf(members: ReadonlyMap<string, string>, userId: string): Role {
  const role = parseRole(members.get(userId) ?? '')
  if (role === null) throw notFound('member')
  return role
}

function requireOwner(members: ReadonlyMap<string, string>): void {
  const owners = [...members.values()].filter((role) => role === 'owner').length
  if (owners > 1) return
  throw new ServiceError('conflict', 'An account keeps at least one owner. Appoint another one first.', {
    source: { pointer: '/role' },
  })
}
