/**
 * Share links, for those who make them: people without an account see one shipment, or what a saved view lists. The
 * token is shown once, when the link is made.
 */

import { type Db, inTransaction } from '../../db/database.ts'
import type { Page, PageRequest } from '../../db/listing/page.ts'
import { uuidV7 } from '../../platform/ids.ts'
import { type Context, requireScope } from '../access/context.ts'
import { changedBy, diffOf, recordChange } from '../audit/record-change.ts'
import { notFound, refusedAt, ServiceError } from '../errors.ts'
import { authorOf } from '../members/author.ts'
import { type PreconditionCheck, requireCurrent } from '../require-current.ts'
import { checkSavedViewName } from '../saved-views/check-name.ts'
import { getSavedViews } from '../saved-views/saved-views.ts'
import type { Service } from '../service.ts'
import { makeToken, tokenHmac } from '../sessions/token.ts'
import { getShipments } from '../shipments/get-shipment.ts'
import { checkColor, checkCompanyName, checkExpiry, checkOrigins } from './check-share-link.ts'
import {
  deleteShareLink,
  findShareLink,
  insertShareLink,
  listShareLinks as listRows,
  lockShareLink,
  type ShareLink,
  type ShareLinkFilter,
  updateShareLink as updateRow,
} from './share-links-sql.ts'

const linksMax = 10_000
const usualDays = 30
const fields = ['name', 'expiresAt', 'companyName', 'color', 'allowedOrigins'] as const

/** Attributes of a link as they are sent. */
export interface ShareLinkInput {
  readonly name: string
  readonly expiresAt?: string
  readonly companyName?: string | null
  readonly color?: string | null
  readonly allowedOrigins?: readonly string[]
}

export type SharedTarget = { readonly kind: 'shipment' | 'saved_view'; readonly id: string }

/** Newest first. */
export async function listShareLinks(
  service: Service,
  context: Context,
  input: { readonly filter: ShareLinkFilter; readonly page: PageRequest },
): Promise<Page<ShareLink>> {
  requireScope(context, 'read')
  return listRows(service.pool, { accountId: context.account.id, ...input })
}

export async function getShareLink(
  service: Service,
  context: Context,
  input: { readonly id: string },
): Promise<ShareLink> {
  requireScope(context, 'read')
  return requireShareLink(service.pool, context, input.id)
}

export async function createShareLink(
  service: Service,
  context: Context,
  input: ShareLinkInput & { readonly shared: SharedTarget },
): Promise<{ readonly link: ShareLink; readonly token: string }> {
  requireScope(context, 'write')
  await checkSharedTarget(service, context, input.shared)
  const { shared } = input
  const nowMs = service.clock.now()
  const by = changedBy(service, context)
  const token = makeToken()
  const link: ShareLink = {
    accountId: context.account.id,
    id: uuidV7(nowMs),
    name: checkSavedViewName(input.name),
    shipmentId: shared.kind === 'shipment' ? shared.id : null,
    savedViewId: shared.kind === 'saved_view' ? shared.id : null,
    companyName: input.companyName === undefined ? context.account.companyName : checkCompanyName(input.companyName),
    color: checkColor(input.color ?? null),
    allowedOrigins: checkOrigins(input.allowedOrigins ?? []),
    expiresAt:
      input.expiresAt === undefined
        ? new Date(nowMs + usualDays * 86_400_000).toISOString()
        : checkExpiry(input.expiresAt, nowMs),
    openedCount: 0,
    lastOpenedAt: null,
    createdBy: { ...authorOf(context), name: null },
    createdAt: by.at,
    updatedAt: by.at,
    lastChangedBy: by,
  }
  return inTransaction(service.pool, async (db) => {
    const tokenHash = tokenHmac(service, 'share', token)
    if (!(await insertShareLink(db, { ...link, tokenHmac: tokenHash, linksMax })))
      throw new ServiceError('invalid', `An account has at most ${linksMax} share links. Delete some first.`)
    await recordChange(db, service, context, {
      action: 'share_link.created',
      target: { type: 'share_link', id: link.id },
      diff: diffOf(null, link, ['shipmentId', 'savedViewId', ...fields]),
    })
    return { link: await requireShareLink(db, context, link.id), token }
  })
}

/** Attributes that are not given are not changed. An expired link works again with a later end. */
export async function updateShareLink(
  service: Service,
  context: Context,
  input: Partial<ShareLinkInput> & { readonly id: string; readonly ifCurrent?: PreconditionCheck<ShareLink> | null },
): Promise<ShareLink> {
  requireScope(context, 'write')
  return inTransaction(service.pool, async (db) => {
    const link = await lockShareLink(db, { accountId: context.account.id, id: input.id })
    if (link === null) throw notFound('share link')
    requireCurrent(input.ifCurrent, link)
    const by = changedBy(service, context)
    const { name, expiresAt, companyName, color, allowedOrigins } = input
    const next: ShareLink = {
      ...link,
      ...(name === undefined ? {} : { name: checkSavedViewName(name) }),
      ...(expiresAt === undefined ? {} : { expiresAt: checkExpiry(expiresAt, service.clock.now()) }),
      ...(companyName === undefined ? {} : { companyName: checkCompanyName(companyName) }),
      ...(color === undefined ? {} : { color: checkColor(color) }),
      ...(allowedOrigins === undefined ? {} : { allowedOrigins: checkOrigins(allowedOrigins) }),
      updatedAt: by.at,
      lastChangedBy: by,
    }
    const diff = diffOf(link, next, fields)
    if (diff === null) return link
    await updateRow(db, next)
    await recordChange(db, service, context, {
      action: 'share_link.updated',
      target: { type: 'share_link', id: link.id },
      diff,
    })
    return next
  })
}

/** The next reading by the link finds nothing, in every process: each reading queries the database. */
export async function withdrawShareLink(
  service: Service,
  context: Context,
  input: { readonly id: string },
): Promise<void> {
  requireScope(context, 'write')
  await inTransaction(service.pool, async (db) => {
    const key = { accountId: context.account.id, id: input.id }
    const link = await lockShareLink(db, key)
    if (link === null) throw notFound('share link')
    await deleteShareLink(db, key)
    await recordChange(db, service, context, {
      action: 'share_link.withdrawn',
      target: { type: 'share_link', id: link.id },
      diff: diffOf(link, null, ['shipmentId', 'savedViewId', 'openedCount', ...fields]),
    })
  })
}

async function requireShareLink(db: Db, context: Context, id: string): Promise<ShareLink> {
  const link = await findShareLink(db, { accountId: context.account.id, id })
  if (link === null) throw notFound('share link')
  return link
}

/** What is shared must be something that the maker of the link sees. */
async function checkSharedTarget(service: Service, context: Context, { kind, id }: SharedTarget): Promise<void> {
  const get = kind === 'shipment' ? getShipments : getSavedViews
  const found: readonly unknown[] = await get(service, context, { ids: [id] })
  if (found.length === 0) throw refusedAt(`/data/relationships/${kind}/data/id`, 'Nothing has this id.')
}
