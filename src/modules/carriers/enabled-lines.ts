/**
 * Which lines an account may track: those that are open to everybody, and those that the operator has enabled for it,
 * in the sandbox too.
 */

import type { Db } from '../../db/database.ts'
import { callIt } from '../../platform/call-it.ts'
import { findShippingLine, type ShippingLine } from '../../reference/shipping-lines.ts'
import { type Account, type Context, requireScope } from '../access/context.ts'
import { notFound, ServiceError } from '../errors.ts'
import { realNow, type Service } from '../service.ts'
import { disableLine, enableLine, listEnabledLines } from './enabled-lines-sql.ts'

/** Returns a function that checks whether a line is enabled for the account. */
export async function createEnabledCheck(db: Db, account: Account): Promise<(line: ShippingLine) => boolean> {
  const enabled = await listEnabledLines(db, account.id)
  return (line) => line.access === 'public' || enabled.has(line.scac)
}

/** Refuses a line that has not been enabled, and explains what to do. */
export async function requireEnabled(db: Db, account: Account, line: ShippingLine): Promise<void> {
  if (line.access === 'public') return
  if ((await createEnabledCheck(db, account))(line)) return
  throw new ServiceError(
    'carrier_not_enabled',
    `${line.name} (${line.scac}) has to be enabled for this account first. Ask the operator of this installation: \`${callIt} lines enable ${line.scac} --account ${account.id}\` does it.`,
    { source: { pointer: '/data/attributes/scac' } },
  )
}

/** For the operator: no key of the account can do it. Returns the line that was enabled, or disabled again. */
export async function setLineEnabled(
  service: Service,
  context: Context,
  input: { readonly scac: string; readonly isEnabled: boolean },
): Promise<ShippingLine> {
  requireScope(context, 'write')
  if (context.actor.kind !== 'system')
    throw new ServiceError('forbidden', 'Only the operator of this installation can enable a shipping line.')
  const line = findShippingLine(input.scac)
  if (line === null) throw notFound('shipping line')
  if (line.access === 'public')
    throw new ServiceError('invalid', `${line.name} (${line.scac}) is enabled for every account.`)
  const key = { accountId: context.account.id, scac: line.scac }
  if (input.isEnabled) await enableLine(service.pool, { ...key, enabledAt: realNow(service) })
  else await disableLine(service.pool, key)
  return line
}
