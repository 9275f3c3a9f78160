/**
 * Keeps what a share link shows for a few seconds, so that many readers of one link cost one reading. Whether the link
 * is open is asked each time, and not kept.
 */

import { keptBeside } from '../ground/kept-beside.ts'
import type { Service } from '../service.ts'
import type { OpenShare } from './open-share-link.ts'

const keptMs = 5_000
const keptMax = 50

interface Kept {
  readonly untilMs: number
  readonly updatedAt: string
  readonly shown: Promise<unknown>
}

const keptOf = keptBeside<Service, Map<string, Kept>>(() => new Map())

/** Readers that come while it is read wait for the same reading. A failure is not kept. */
export function keepBriefly<Shown>(
  service: Service,
  { link }: OpenShare,
  read: () => Promise<Shown>,
): Promise<Shown> {
  const all = keptOf(service)
  const nowMs = service.clock.now()
  const known = all.get(link.id)
  if (known !== undefined && nowMs < known.untilMs && known.updatedAt === link.updatedAt)
    return known.shown as Promise<Shown> // the only caller reads one type
  const shown = read()
  all.delete(link.id)
  const [oldest] = all.keys()
  if (all.size >= keptMax && oldest !== undefined) all.delete(oldest)
  const kept = { untilMs: nowMs + keptMs, updatedAt: link.updatedAt, shown }
  all.set(link.id, kept)
  shown.catch(() => {
    if (all.get(link.id) === kept) all.delete(link.id)
  })
  return shown
}
