/**
 * Finds a share link by its token, for anybody. The row is read each time, so a withdrawn link is closed at once at
 * every process. A token that is unknown, withdrawn or expired gets the same refusal.
 */

import { memoizePerOwner } from '../../platform/memoize-per-owner.ts'
import type { Context } from '../access/context.ts'
import { notFound, type ServiceError } from '../errors.ts'
import { realNow, type Service } from '../service.ts'
import { tokenHmac } from '../sessions/token.ts'
import { admitAddress, admitLink } from './share-limits.ts'
import { addOpenings, findOpenLink, type OpenedLink } from './share-links-sql.ts'

export interface ShareAccess {
  readonly link: OpenedLink
  /** Reads for the account, and sees nothing about the people and companies involved. */
  readonly context: Context
}

export interface ShareLinkRequest {
  readonly token: string
  /** From where it is read, for the limit. */
  readonly address: string
  readonly requestId: string
}

export async function openShareLink(service: Service, opening: ShareLinkRequest): Promise<ShareAccess> {
  const { token, address, requestId } = opening
  admitAddress(service, address)
  const isToken = /^[\w-]{43}$/.test(token)
  const link = isToken
    ? await findOpenLink(service.pool, {
        tokenHmac: tokenHmac(service, 'share', token),
        now: realNow(service),
      })
    : null
  if (link === null) throw sharedPageNotFound()
  admitLink(service, link.id)
  await countOpening(service, link)
  return {
    link,
    context: {
      // The name is not read, because nothing that is shared shows it.
      account: { id: link.accountId, companyName: '', isSandbox: link.isSandbox },
      actor: { kind: 'system' },
      scopes: ['read'],
      requestId,
      isEmbedded: true,
    },
  }
}

export function sharedPageNotFound(): ServiceError {
  return notFound('shared page')
}

const writtenEveryMs = 60_000
const countedMax = 10_000

interface OpeningCount {
  count: number
  writtenAtMs: number
}

const countsOf = memoizePerOwner<Service, Map<string, OpeningCount>>(() => new Map())

/** Writes the first opening at once, and then at most once a minute: what is counted since may be lost. */
async function countOpening(service: Service, link: OpenedLink): Promise<void> {
  const counts = countsOf(service)
  const nowMs = service.clock.now()
  if (counts.size >= countedMax && !counts.has(link.id)) counts.clear()
  const counted = counts.get(link.id) ?? { count: 0, writtenAtMs: Number.NEGATIVE_INFINITY }
  counts.set(link.id, counted)
  counted.count += 1
  if (nowMs - counted.writtenAtMs < writtenEveryMs) return
  const { count } = counted
  counted.count = 0
  counted.writtenAtMs = nowMs
  await addOpenings(service.pool, { accountId: link.accountId, id: link.id, count, at: realNow(service) })
}
