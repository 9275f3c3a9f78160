/** E-mails that came with documents, as the APIs read them. */

import type { Db } from '../../db/database.ts'
import { makeConditions } from '../../db/listing/conditions.ts'
import { getJsonInstant, readJsonInstant } from '../../db/listing/json-instant.ts'
import { readListing, readOrder, rowJson, type SortColumn } from '../../db/listing/listing.ts'
import type { Page, PageRequest } from '../../db/listing/page.ts'
import type { AttachmentState } from './email-attachments-sql.ts'

export const submissionStatuses = ['working', 'done'] as const
/** `working`: attachments of it wait to be passed on. */
export type SubmissionStatus = (typeof submissionStatuses)[number]

export interface SubmissionAttachment {
  readonly place: number
  readonly fileName: string | null
  readonly contentType: string | null
  readonly byteSize: number
  readonly state: AttachmentState
  readonly reason: string | null
  readonly documentId: string | null
  readonly importId: string | null
  readonly messageId: string | null
}

export interface SubmissionRow {
  readonly id: string
  readonly accountId: string
  readonly subject: string
  readonly encryptedBody: Buffer | null
  readonly from: readonly string[]
  readonly to: readonly string[]
  readonly cc: readonly string[]
  readonly sentAt: string | null
  readonly messageId: string | null
  readonly inReplyTo: string | null
  readonly references: readonly string[]
  readonly contentType: string | null
  readonly status: SubmissionStatus
  readonly spf: string | null
  readonly dkim: string | null
  readonly isSenderVerified: boolean | null
  readonly mailboxId: string
  readonly parts: readonly SubmissionAttachment[]
  /** Documents that were created from it and are not deleted. */
  readonly documentIds: readonly string[]
  readonly createdAt: string
  readonly updatedAt: string
}

type JsonRow = Omit<SubmissionRow, 'encryptedBody'> & { readonly encryptedBodyHex: string | null }

const sorts = { created_at: { column: 'created_at', type: 'timestamptz' } } as const satisfies Readonly<
  Record<string, SortColumn>
>
export type SubmissionOrder = 'created_at' | '-created_at'

const columns = `e.id, e.account_id as "accountId", e.subject, encode(e.sealed_body, 'hex') as "encryptedBodyHex",
  e.from_addresses as "from", e.to_addresses as "to", e.cc_addresses as cc, e.sent_at as "sentAt",
  e.message_id as "messageId", e.in_reply_to as "inReplyTo", e.reference_ids as "references",
  e.content_type as "contentType", case when e.due_at is null then 'done' else 'working' end as status, e.spf, e.dkim,
  e.is_sender_proven as "isSenderVerified", e.mailbox_id as "mailboxId", e.created_at as "createdAt",
  e.updated_at as "updatedAt",
  coalesce((select json_agg(p order by p.place) from (
    select place, file_name as "fileName", content_type as "contentType", byte_size as "byteSize", state, reason,
           document_id as "documentId", import_id as "importId", message_id as "messageId"
      from email_parts where account_id = $1 and submission_id = e.id) p), '[]') as parts,
  array(select d.id from documents d
         where d.account_id = $1 and d.email_submission_id = e.id and d.discarded_at is null
         order by d.created_at, d.id) as "documentIds"`

export async function listSubmissionRows(
  db: Db,
  list: {
    readonly accountId: string
    readonly ids: readonly string[] | null
    readonly status: SubmissionStatus | null
    readonly order: SubmissionOrder
    readonly page: PageRequest
  },
): Promise<Page<SubmissionRow>> {
  const conditions = makeConditions('e', list.accountId)
  conditions.addFew('e.id', list.ids)
  if (list.status !== null) conditions.addText(`e.due_at is ${list.status === 'done' ? '' : 'not '}null`)
  const { rows, ...rest } = await readListing<JsonRow>(db, {
    table: 'email_submissions',
    alias: 'e',
    select: rowJson(columns),
    joins: '',
    ...readOrder(sorts, list.order),
    conditions,
    page: list.page,
    isCounted: true,
  })
  return { rows: rows.map(readRow), ...rest }
}

/** Instants and bytes inside JSON have a form of their own. */
function readRow({ encryptedBodyHex, ...row }: JsonRow): SubmissionRow {
  return {
    ...row,
    encryptedBody: encryptedBodyHex === null ? null : Buffer.from(encryptedBodyHex, 'hex'),
    sentAt: readJsonInstant(row.sentAt),
    createdAt: getJsonInstant(row.createdAt),
    updatedAt: getJsonInstant(row.updatedAt),
  }
}
