/**
 * What came through channels, as the APIs read it. An account sees what came through its own channels, the operator
 * sees all.
 */

import type { ByteRange, MentionedNumber } from '../../connectors/pushed-source.ts'
import type { Db } from '../../db/database.ts'
import { makeConditions } from '../../db/listing/conditions.ts'
import { getJsonInstant, readJsonInstant } from '../../db/listing/json-instant.ts'
import { readListing, readOrder, rowJson, type SortColumn } from '../../db/listing/listing.ts'
import type { Page, PageRequest } from '../../db/listing/page.ts'
import type { WantedStatus } from '../../pipeline/ingestion/wanted-requests-sql.ts'

export const messageStatuses = ['heard', 'waiting', 'expired', 'unmapped', 'faulty'] as const
/**
 * `faulty`: something in it could not be divided into message parts; `unmapped`: something in it is not understood;
 * `waiting`: a message part has no listener yet; `expired`: a message part had no listener until its time was over;
 * `heard`: every message part is ingested.
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
  readonly parts: readonly MessagePartReading[]
}

export interface MessageFault {
  readonly kind: string
  readonly lost: string
  readonly path: string
  readonly detail: string
}

export interface MessagePartReading {
  readonly part: number
  readonly about: readonly MentionedNumber[]
  readonly ranges: readonly ByteRange[]
  readonly isUnmapped: boolean
  /** When it expired, because no shipment needed it. */
  readonly expiredAt: string | null
  readonly shipmentIds: readonly string[]
  /** What happened to a number that nobody knew, where its channel makes requests; otherwise null. */
  readonly request: WantedReading | null
}

export interface WantedReading {
  readonly kind: string
  readonly number: string
  readonly status: WantedStatus
  readonly reason: string | null
  readonly trackingRequestId: string | null
}

const sorts = { received_at: { column: 'received_at', type: 'timestamptz' } } as const satisfies Readonly<
  Record<string, SortColumn>
>
export type InboundMessageOrder = 'received_at' | '-received_at'

const status = `case
  when m.faults @? '$[*] ? (@.lost != "nothing")' then 'faulty'
  when exists (select from mentions o where o.message_id = m.id and o.is_unmapped and o.expired_at is null) then 'unmapped'
  when exists (select from mentions o where o.message_id = m.id and o.expired_at is null
                and not exists (select from hearings h where h.mention_id = o.id)) then 'waiting'
  when exists (select from mentions o where o.message_id = m.id and o.expired_at is not null) then 'expired'
  else 'heard' end`

const partsMax = 1_000
const partsIngestedBy = (hearers: string) => `coalesce((
  select json_agg(p order by p.part) from (
    select o.part, o.about, o.ranges, o.is_unmapped as "isUnmapped", o.expired_at as "expiredAt",
           array(select h.shipment_id from hearings h where h.mention_id = o.id and ${hearers} order by 1) as "shipmentIds",
           (select json_build_object('kind', w.kind, 'number', w.number, 'status', w.status, 'reason', w.reason,
                                     'trackingRequestId', w.tracking_request_id)
              from wanted_requests w where w.mention_id = o.id and w.account_id = m.account_id) as request
      from mentions o where o.message_id = m.id order by o.part limit ${partsMax}) p), '[]')`

const columnsIngestedBy = (
  hearers: string,
) => `'inbound_message' as type, m.id, c.name as channel, m.received_at as "receivedAt",
  m.content_type as "contentType", m.byte_count as "byteCount", ${status} as status, m.faults, ${partsIngestedBy(hearers)} as parts`
const columns = columnsIngestedBy('h.account_id = m.account_id')
const operatorColumns = columnsIngestedBy('true')

/** Messages that came through the account's own channels. */
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
    conditions.addText(`m.channel_id = (select id from channels where name = ${conditions.bind(list.channel)})`)
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
  const read = rows.map((row) => ({ ...withInstants(row), receivedAt: getJsonInstant(row.receivedAt) }))
  return { rows: read, ...rest }
}

/** Instants inside JSON have a form of their own. */
function withInstants(row: InboundMessageReading): InboundMessageReading {
  return {
    ...row,
    parts: row.parts.map((part) => ({ ...part, expiredAt: readJsonInstant(part.expiredAt) })),
  }
}

/** For the operator: the newest messages of a channel, whichever account it belongs to. */
export async function listChannelMessageRows(
  db: Db,
  of: { readonly channelId: string; readonly status: MessageStatus | null; readonly limit: number },
): Promise<readonly InboundMessageReading[]> {
  const { rows } = await db.query<InboundMessageReading>({
    name: 'inbound_messages_of_channel',
    text: `select ${operatorColumns}
             from inbound_messages m join channels c on c.id = m.channel_id
            where m.channel_id = $1 and ($2::text is null or ${status} = $2)
            order by m.received_at desc, m.id limit $3`,
    values: [of.channelId, of.status, of.limit],
  })
  return rows.map(withInstants)
}

/** For the operator: one message of any channel, with the account of that channel. */
export async function findMessageRow(
  db: Db,
  id: string,
): Promise<(InboundMessageReading & { readonly accountId: string | null }) | null> {
  const { rows } = await db.query<InboundMessageReading & { readonly accountId: string | null }>({
    name: 'inbound_message_of_all',
    text: `select ${operatorColumns}, m.account_id as "accountId"
             from inbound_messages m join channels c on c.id = m.channel_id where m.id = $1`,
    values: [id],
  })
  const [row] = rows
  return row === undefined ? null : { ...withInstants(row), accountId: row.accountId }
}
