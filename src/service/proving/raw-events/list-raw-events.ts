/** Raw events: what every source said about containers, word for word, including what the source withdrew. */

import type { Page, PageRequest } from '../../../store/lists/page.ts'
import { type RawEventReading, readRawEventPage, readRawEvents } from '../../../store/read/raw-events.ts'
import { type Context, requireScope } from '../../context.ts'
import type { Service } from '../../service.ts'
import { findPapers, type Paper } from '../papers/find-papers.ts'

export interface ShownRawEvent extends RawEventReading {
  /** Where it was read, if a document says it; null for every other source. */
  readonly paper: Paper | null
}

export interface RawEventOfContainer {
  readonly ofContainerId: string
  readonly event: ShownRawEvent
}

/**
 * In `index` order within each container. `ids` selects claims; they keep the numbers that they have among all claims.
 */
export async function listRawEvents(
  service: Service,
  context: Context,
  input: { readonly containerIds: readonly string[]; readonly ids?: readonly string[] },
): Promise<readonly RawEventOfContainer[]> {
  requireScope(context, 'read')
  const rows = await readRawEvents(service.pool, {
    accountId: context.account.id,
    containerIds: [...new Set(input.containerIds)],
    ids: input.ids ?? null,
  })
  const show = await showing(
    service,
    context,
    rows.map(({ event }) => event),
  )
  return rows.map(({ ofContainerId, event }) => ({ ofContainerId, event: show(event) }))
}

/** The raw events of one container, in `index` order. */
export async function pageRawEvents(
  service: Service,
  context: Context,
  input: { readonly containerId: string; readonly page: PageRequest },
): Promise<Page<ShownRawEvent>> {
  requireScope(context, 'read')
  const page = await readRawEventPage(service.pool, { accountId: context.account.id, ...input })
  const show = await showing(service, context, page.rows)
  return { ...page, rows: page.rows.map(show) }
}

async function showing(
  service: Service,
  context: Context,
  events: readonly RawEventReading[],
): Promise<(event: RawEventReading) => ShownRawEvent> {
  const claims = events.map(({ sourceKind, sourceCode, ...event }) => ({
    ...event,
    source: { kind: sourceKind, code: sourceCode },
  }))
  const papers = await findPapers(service, context, claims)
  return (event) => ({ ...event, paper: papers.get(event.id) ?? null })
}
