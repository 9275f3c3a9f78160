/** What came through the channels of an account, as the doors read it. */

import type { ByteRange, SpokenOf } from '../../sources/told.ts'
import type { Db } from '../database.ts'
import { makeConditions } from './conditions.ts'
import { getJsonInstant } from './json-instant.ts'
import { readListing, readOrder, rowJson, type SortColumn } from './listing.ts'
import type { Page, PageRequest } from './page.ts'

export const messageStatuses = ['heard', 'waiting', 'unmapped', 'faulty'] as const
/**
 * `faulty`: something of it could not be cut into parts; `unmapped`: something in it is not understood; `waiting`: a part
 * has no listener yet; `heard`: every part is heard.
 */
export type MessageStatus = (typeof messageStatuses)[number]

export interface InboundMessageReading {
  readonly type: 'inbound_message'
  readonly id: string
  readonly channel: string
  readonly receivedAt: string
  readonly contentType: string | null
  readonly byteCount: number
  readonly status: MessageStatus
  readonly faults: readonly MessageFault[]
  readonly parts: readonly PartReading[]
}

export interface MessageFault {
  readonly kind: string
  readonly lost: string
  readonly path: string
  readonly detail: string
}

export interface PartReading {
  readonly part: number
  readonly about: readonly SpokenOf[]
  readonly ranges: readonly ByteRange[]
  readonly isUnmapped: boolean
  readonly shipmentIds: readonly string[]
}

const sorts = { received_at: { column: 'received_at', type: 'timestamptz' } } as const satisfies Readonly<
  Record<string, SortColumn>
>
export type InboundMessageOrder = 'received_at' | '-received_at'

const status = `case
  when m.faults @? '$[*] ? (@.lost != "nothing")' then 'faulty'
  when exists (select from mentions o where o.message_id = m.id and o.is_unmapped) then 'unmapped'
  when exists (select from mentions o where o.message_id = m.id
                and not exists (select from hearings h where h.mention_id = o.id)) then 'waiting'
  else 'heard' end`

const partsMax = 1_000
const parts = `coalesce((
  select json_agg(p order by p.part) from (
    select o.part, o.about, o.ranges, o.is_unmapped as "isUnmapped",
           array(select h.shipment_id from hearings h where h.mention_id = o.id and h.account_id = m.account_id) as "shipmentIds"
      from mentions o where o.message_id = m.id order by o.part limit ${partsMax}) p), '[]')`

const columns = `'inbound_message' as type, m.id, c.name as channel, m.received_at as "receivedAt",
  m.content_type as "contentType", m.byte_count as "byteCount", ${status} as status, m.faults, ${parts} as parts`

/** Of the account's own channels. */
export async function listInboundMessageRows(
  db: Db,
  list: {
    readonly accountId: string
    readonly id: string | null
    readonly channel: string | null
    readonly status: MessageStatus | null
    readonly order: InboundMessageOrder
    readonly page: PageRequest
  },
): Promise<Page<InboundMessageReading>> {
  const conditions = makeConditions('m', list.accountId)
  if (list.id !== null) conditions.addFew('m.id', [list.id])
  if (list.channel !== null)
    conditions.addText(
      `m.channel_id = (select id from channels where name = ${conditions.bind(list.channel)})`,
    )
  if (list.status !== null) conditions.addText(`${status} = ${conditions.bind(list.status)}`)
  const { rows, ...rest } = await readListing<InboundMessageReading>(db, {
    table: 'inbound_messages',
    alias: 'm',
    select: rowJson(columns),
    joins: 'join channels c on c.id = m.channel_id',
    ...readOrder(sorts, list.order),
    conditions,
    page: list.page,
    isCounted: true,
  })
  return { rows: rows.map((row) => ({ ...row, receivedAt: getJsonInstant(row.receivedAt) })), ...rest }
}
