/**
 * What the authorization server stores between two requests. The database never contains anything that gives access:
 * ids are HMACs, and payloads are encrypted and do not repeat the id.
 */

import { inTransaction } from '../../../store/database.ts'
import { deleteOauthClient, findOauthClient, putOauthClient } from '../../../store/people/oauth-clients.ts'
import {
  consumeOauthEntry,
  deleteOauthEntriesOfGrant,
  deleteOauthEntry,
  findOauthEntry,
  putOauthEntry,
} from '../../../store/people/oauth-entries.ts'
import { revokeOauthGrant } from '../../../store/people/oauth-grants.ts'
import { realNow, type Service } from '../../service.ts'
import { recordChange } from '../audit/record-change.ts'

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

export function entryHmac({ vault }: Service, { kind, id }: EntryKey): Buffer {
  return vault.hmac(`oauth ${kind} ${id}`)
}

export async function keepEntry(service: Service, key: EntryKey, whole: EntryPayload): Promise<void> {
  const { jti: _, ...payload } = whole
  const { kind, id } = key
  await putOauthEntry(service.pool, {
    kind,
    idHmac: entryHmac(service, key),
    payloadSealed: service.vault.seal(JSON.stringify(payload)),
    // A grant is deleted together with what was issued under it. Its id gives no access: nothing asks for it.
    grantId: kind === 'Grant' ? id : (payload.grantId ?? null),
    audience: typeof payload.aud === 'string' ? payload.aud : null,
    scope: payload.scope ?? null,
    expiresAt: payload.exp === undefined ? null : new Date(payload.exp * 1_000).toISOString(),
  })
}

/** Has `consumed` (seconds since 1970) when the entry was used. */
export async function findEntry(
  service: Service,
  key: EntryKey,
): Promise<(EntryPayload & { readonly consumed?: number }) | null> {
  const found = await findOauthEntry(service.pool, { kind: key.kind, idHmac: entryHmac(service, key) })
  if (found === null) return null
  const payload = JSON.parse(service.vault.open(found.payloadSealed)) as EntryPayload
  const consumed =
    found.consumedAt === null ? {} : { consumed: Math.floor(Date.parse(found.consumedAt) / 1_000) }
  return { ...payload, jti: key.id, ...consumed }
}

/** False when the entry was used already. In that case everything that was issued under its grant ends. */
export async function consumeEntry(service: Service, key: EntryKey): Promise<boolean> {
  const at = { kind: key.kind, idHmac: entryHmac(service, key) }
  if (await consumeOauthEntry(service.pool, { ...at, now: realNow(service) })) return true
  const { grantId = null } = (await findOauthEntry(service.pool, at)) ?? {}
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
export type EndReason = 'reuse' | 'revoked'

/**
 * Ends a grant, at the wish of the app or because of what the app did. Every code and token under it is invalid from
 * now on.
 */
export async function endGrant(
  service: Service,
  {
    id,
    because,
    requestId,
  }: { readonly id: string; readonly because: EndReason; readonly requestId: string },
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

export async function keepClient(service: Service, id: string, metadata: object): Promise<void> {
  await putOauthClient(service.pool, {
    id,
    metadataSealed: service.vault.seal(JSON.stringify(metadata)),
    now: realNow(service),
  })
}

export async function findClient(service: Service, id: string): Promise<object | null> {
  const found = await findOauthClient(service.pool, id)
  return found === null ? null : (JSON.parse(service.vault.open(found.metadataSealed)) as object)
}

export async function forgetClient(service: Service, id: string): Promise<void> {
  await deleteOauthClient(service.pool, id)
}
