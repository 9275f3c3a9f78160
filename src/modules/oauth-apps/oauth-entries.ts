/**
 * What the authorization server stores between two requests. The database never contains anything that gives access:
 * ids are HMACs, and payloads are encrypted and do not repeat the id.
 */

import { inTransaction } from '../../db/database.ts'
import { recordChange } from '../audit/record-change.ts'
import { realNow, type Service } from '../service.ts'
import { deleteOauthClient, findOauthClient, putOauthClient } from './oauth-clients-sql.ts'
import {
  consumeOauthEntry,
  deleteOauthEntriesOfGrant,
  deleteOauthEntry,
  findOauthEntry,
  putOauthEntry,
} from './oauth-entries-sql.ts'
import { revokeOauthGrant } from './oauth-grants-sql.ts'

/** The payload as the library gives it. Only the members named here are read. */
export interface EntryPayload {
  readonly jti?: string | undefined
  readonly grantId?: string | undefined
  readonly aud?: string | string[] | undefined
  readonly scope?: string | undefined
  readonly exp?: number | undefined
}

export interface EntryKey {
  readonly kind: string
  readonly id: string
}

export function entryHmac({ encryption }: Service, { kind, id }: EntryKey): Buffer {
  return encryption.hmac(`oauth ${kind} ${id}`)
}

export async function storeEntry(service: Service, key: EntryKey, whole: EntryPayload): Promise<void> {
  const { jti: _, ...payload } = whole
  const { kind, id } = key
  await putOauthEntry(service.pool, {
    kind,
    idHmac: entryHmac(service, key),
    encryptedPayload: service.encryption.encrypt(JSON.stringify(payload)),
    // A grant is deleted together with what was issued under it. Its id gives no access: no request uses it.
    grantId: kind === 'Grant' ? id : (payload.grantId ?? null),
    audience: typeof payload.aud === 'string' ? payload.aud : null,
    scope: payload.scope ?? null,
    expiresAt: payload.exp === undefined ? null : new Date(payload.exp * 1_000).toISOString(),
  })
}

/**
 * For so long a refresh token may be used again: the answer was lost, or two windows of one client used it at once. They
 * all get the same successor.
 */
const refreshAgainMs = 30_000

/** Has `consumed` (seconds since 1970) when the entry was used and may not be used again. */
export async function findEntry(
  service: Service,
  key: EntryKey,
): Promise<(EntryPayload & { readonly consumed?: number }) | null> {
  const found = await findOauthEntry(service.pool, { kind: key.kind, idHmac: entryHmac(service, key) })
  if (found === null) return null
  const payload = JSON.parse(service.encryption.decrypt(found.encryptedPayload)) as EntryPayload
  const { consumedAt } = found
  const consumed =
    consumedAt === null || mayUseAgain(service, key, consumedAt)
      ? {}
      : { consumed: Math.floor(Date.parse(consumedAt) / 1_000) }
  return { ...payload, jti: key.id, ...consumed }
}

function mayUseAgain(service: Service, { kind }: EntryKey, consumedAt: string): boolean {
  return kind === 'RefreshToken' && Date.parse(realNow(service)) - Date.parse(consumedAt) < refreshAgainMs
}

/**
 * The refresh token that follows on this one. It is derived and not stored, so each use gets the same; after a token
 * that was used as well, it is the one after that.
 */
export async function getNextRefreshToken(service: Service, id: string): Promise<string> {
  const next = service.encryption.hmac(`oauth successor ${id}`).toString('base64url')
  const key = { kind: 'RefreshToken', id: next }
  const found = await findOauthEntry(service.pool, { kind: key.kind, idHmac: entryHmac(service, key) })
  return found === null || found.consumedAt === null ? next : getNextRefreshToken(service, next)
}

/**
 * False when the entry was used already and may not be used again. In that case everything that was issued under its
 * grant ends.
 */
export async function consumeEntry(service: Service, key: EntryKey): Promise<boolean> {
  const at = { kind: key.kind, idHmac: entryHmac(service, key) }
  if (await consumeOauthEntry(service.pool, { ...at, now: realNow(service) })) return true
  const { grantId = null, consumedAt = null } = (await findOauthEntry(service.pool, at)) ?? {}
  if (consumedAt !== null && mayUseAgain(service, key, consumedAt)) return true
  if (grantId !== null) await endGrant(service, { id: grantId, because: 'reuse', requestId: 'none' })
  return false
}

export async function forgetEntry(service: Service, key: EntryKey): Promise<void> {
  await deleteOauthEntry(service.pool, { kind: key.kind, idHmac: entryHmac(service, key) })
}

/** Deletes the entries of one kind that belong to a grant. */
export async function forgetEntriesOfGrant(
  service: Service,
  of: { readonly grantId: string; readonly kind: string },
): Promise<void> {
  await deleteOauthEntriesOfGrant(service.pool, of)
}

/** `reuse`: a code or refresh token was shown a second time, so somebody else has it too. */
export type GrantEndReason = 'reuse' | 'revoked'

/**
 * Ends a grant, at the wish of the app or because of what the app did. Every code and token under it is invalid from
 * now on.
 */
export async function endGrant(
  service: Service,
  { id, because, requestId }: { readonly id: string; readonly because: GrantEndReason; readonly requestId: string },
): Promise<void> {
  const ended = await inTransaction(service.pool, async (db) => {
    await deleteOauthEntriesOfGrant(db, { grantId: id, kind: null })
    const grant = await revokeOauthGrant(db, { id, userId: null, now: realNow(service) })
    if (grant === null) return null
    const by = {
      account: { id: grant.accountId },
      actor: { kind: 'oauth_client', id: grant.clientId },
      requestId,
    } as const
    await recordChange(db, service, by, {
      action: because === 'reuse' ? 'oauth_grant.reuse_detected' : 'oauth_grant.revoked',
      target: { type: 'oauth_grant', id },
      diff: { client: [grant.clientName, null] },
    })
    return grant
  })
  if (ended !== null) service.metrics.oauthGrantEnded({ because, grantId: id })
}

export async function storeClient(service: Service, id: string, metadata: object): Promise<void> {
  await putOauthClient(service.pool, {
    id,
    encryptedMetadata: service.encryption.encrypt(JSON.stringify(metadata)),
    now: realNow(service),
  })
}

export async function findClient(service: Service, id: string): Promise<object | null> {
  const found = await findOauthClient(service.pool, id)
  return found === null ? null : (JSON.parse(service.encryption.decrypt(found.encryptedMetadata)) as object)
}

export async function forgetClient(service: Service, id: string): Promise<void> {
  await deleteOauthClient(service.pool, id)
}
