/** A person gives an app access to their account, sees which apps have access, and removes it again. */

import { inTransaction } from '../../db/database.ts'
import { uuidV7 } from '../../platform/ids.ts'
import type { Context } from '../access/context.ts'
import { recordChange } from '../audit/record-change.ts'
import { notFound, ServiceError } from '../errors.ts'
import { realNow, type Service } from '../service.ts'
import { touchOauthClient } from './oauth-clients-sql.ts'
import { deleteOauthEntriesOfGrant } from './oauth-entries-sql.ts'
import { insertOauthGrant, type ListedGrant, listOauthGrants, revokeOauthGrant } from './oauth-grants-sql.ts'
import type { ProtectedResource } from './protected-resources.ts'
import { scopesOf } from './token-scopes.ts'

export interface AppToConnect {
  readonly clientId: string
  readonly clientName: string
  /** Where the person is sent with the code: scheme, host and path. */
  readonly redirectTarget: string
}

const dayMs = 86_400_000

export function newGrantId({ clock }: Service): string {
  return uuidV7(clock.now())
}

/** Those of the requested scopes that the person's role allows. */
export function grantableScopes(context: Pick<Context, 'scopes'>, requested: readonly string[]): readonly string[] {
  return requested.filter((scopeName) => scopesOf(scopeName).every((scope) => context.scopes.includes(scope)))
}

/** `grantId`: from `newGrantId`; the authorization server stores the same id. */
export async function connectApp(
  service: Service,
  context: Context,
  {
    grantId,
    app,
    ...given
  }: {
    readonly grantId: string
    readonly app: AppToConnect
    readonly scopes: readonly string[]
    readonly resources: readonly ProtectedResource[]
    readonly spansAccounts: boolean
  },
): Promise<void> {
  const { account, actor } = context
  if (actor.kind !== 'user') throw new ServiceError('forbidden', 'Only a person can connect an app.')
  if (
    grantableScopes(context, given.scopes).length < given.scopes.length ||
    scopesOf(given.scopes.join(' ')).length === 0
  )
    throw new ServiceError('forbidden', 'Your role in this account does not allow the access that the app requests.')
  const now = realNow(service)
  const expiresAt = new Date(service.clock.now() + service.config.oauth.grantDays * dayMs).toISOString()
  await inTransaction(service.pool, async (db) => {
    await insertOauthGrant(db, {
      ...app,
      ...given,
      accountId: account.id,
      id: grantId,
      userId: actor.id,
      createdAt: now,
      expiresAt,
    })
    await touchOauthClient(db, { id: app.clientId, now })
    await recordChange(db, service, context, {
      action: 'oauth_grant.created',
      target: { type: 'oauth_grant', id: grantId },
      diff: {
        client: [null, app.clientName],
        client_id: [null, app.clientId],
        redirect_to: [null, app.redirectTarget],
        scopes: [null, given.scopes],
        resources: [null, given.resources],
        ...(given.spansAccounts ? { spans_accounts: [null, true] } : {}),
      },
    })
  })
}

/** The apps of a person, in all their accounts. */
export function listApps(service: Service, { userId }: { readonly userId: string }): Promise<readonly ListedGrant[]> {
  return listOauthGrants(service.pool, { userId, now: realNow(service) })
}

/** Its tokens stop working with the very next request, because no process remembers tokens. */
export async function disconnectApp(
  service: Service,
  person: { readonly userId: string } & Pick<Context, 'requestId' | 'from'>,
  { id }: { readonly id: string },
): Promise<void> {
  const { userId, ...request } = person
  await inTransaction(service.pool, async (db) => {
    const grant = await revokeOauthGrant(db, { id, userId, now: realNow(service) })
    if (grant === null) throw notFound('connected app')
    await deleteOauthEntriesOfGrant(db, { grantId: id, kind: null })
    const by = { ...request, account: { id: grant.accountId }, actor: { kind: 'user', id: userId } } as const
    await recordChange(db, service, by, {
      action: 'oauth_grant.revoked',
      target: { type: 'oauth_grant', id },
      diff: { client: [grant.clientName, null] },
    })
  })
  service.metrics.oauthGrantEnded({ because: 'disconnected', grantId: id })
}
