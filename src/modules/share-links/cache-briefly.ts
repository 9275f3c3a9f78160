/**
 * Caches what a share link shows for a few seconds, so that many readers of one link cost one reading. Whether the link
 * is open is checked each time, and not cached.
 */

import { memoizePerOwner } from '../../platform/memoize-per-owner.ts'
import type { Service } from '../service.ts'
import type { ShareAccess } from './open-share-link.ts'

const cacheMs = 5_000
const cacheMax = 50

interface CachedView {
  readonly untilMs: number
  readonly updatedAt: string
  readonly view: Promise<unknown>
}

const cacheOf = memoizePerOwner<Service, Map<string, CachedView>>(() => new Map())

/** Readers that come while it is read wait for the same reading. A failure is not cached. */
export function cacheBriefly<View>(service: Service, { link }: ShareAccess, read: () => Promise<View>): Promise<View> {
  const all = cacheOf(service)
  const nowMs = service.clock.now()
  const known = all.get(link.id)
  if (known !== undefined && nowMs < known.untilMs && known.updatedAt === link.updatedAt)
    return known.view as Promise<View> // the only caller reads one type
  const view = read()
  all.delete(link.id)
  const [oldest] = all.keys()
  if (all.size >= cacheMax && oldest !== undefined) all.delete(oldest)
  const entry = { untilMs: nowMs + cacheMs, updatedAt: link.updatedAt, view }
  all.set(link.id, entry)
  view.catch(() => {
    if (all.get(link.id) === entry) all.delete(link.id)
  })
  return view
}
