/** Who makes the request: the key or person, their account, and the accounts to which a person can switch. */

import { type Context, requireScope } from '../access/context.ts'
import { listApiKeys } from '../api-keys/api-keys-sql.ts'
import { sendsMail } from '../derived-settings.ts'
import { listAccountsOfUser } from '../members/memberships-sql.ts'
import { findUser } from '../members/users-sql.ts'
import type { Service } from '../service.ts'

/** What every installation offers, by the names of the v2 API. */
const features = {
  data_out_api: 'available',
  custom_fields: 'available',
  routing_data: 'available',
  rail_data: 'available',
  stop_tracking: 'available',
  trade_intel: 'not_enabled',
} as const
export const featureNames = [...Object.keys(features), 'email_alerts']

export interface Me {
  readonly kind: 'api_key' | 'user'
  readonly id: string
  /** Label of the key. */
  readonly name: string | null
  readonly user: {
    readonly id: string
    readonly email: string
    readonly name: string
    readonly isManager: boolean
  } | null
  /** The current account first. */
  readonly accounts: readonly { readonly id: string; readonly companyName: string }[]
  /** Statuses by name. */
  readonly features: Readonly<Record<string, string>>
}

/** An app that acts for a person counts as a key without a label. */
export async function getMe(service: Service, context: Context): Promise<Me> {
  requireScope(context, 'read')
  const { account, actor } = context
  const id = actor.kind === 'system' ? account.id : actor.id
  const installed = { ...features, email_alerts: sendsMail(service.config) ? 'available' : 'not_enabled' }
  if (actor.kind !== 'user') {
    const keys = actor.kind === 'api_key' ? await listApiKeys(service.pool, { accountId: account.id }) : []
    const name = keys.find((key) => key.id === id)?.name ?? null
    return { kind: 'api_key', id, name, user: null, accounts: [account], features: installed }
  }
  const [user, accounts] = await Promise.all([findUser(service.pool, id), listAccountsOfUser(service.pool, id)])
  const others = accounts.filter(({ accountId }) => accountId !== account.id)
  return {
    kind: 'user',
    id,
    name: null,
    user: user && {
      id,
      email: user.email,
      name: user.name,
      isManager: ['owner', 'admin'].includes(context.role ?? ''),
    },
    accounts: [account, ...others.map(({ accountId, companyName }) => ({ id: accountId, companyName }))],
    features: installed,
  }
}
