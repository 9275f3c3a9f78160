/** The attachments of an e-mail, in its order, and the result of each. */

import type { Db } from '../../db/database.ts'

export const attachmentStates = ['waiting', 'document', 'import', 'message', 'repeated', 'refused', 'ignored'] as const
export type AttachmentState = (typeof attachmentStates)[number]

export interface NewAttachment {
  readonly place: number
  readonly fileName: string | null
  readonly contentType: string | null
  readonly byteSize: number
}

export interface AttachmentOutcome {
  readonly state: AttachmentState
  readonly reason: string | null
  readonly documentId: string | null
  readonly importId: string | null
  readonly messageId: string | null
}

interface SubmissionKey {
  readonly accountId: string
  readonly submissionId: string
}

/** Those that are there already stay as they are. */
export async function insertAttachments(
  db: Db,
  of: SubmissionKey,
  attachments: readonly NewAttachment[],
): Promise<void> {
  await db.query({
    name: 'email_parts_insert',
    text: `insert into email_parts (account_id, submission_id, place, file_name, content_type, byte_size, state)
           select $1, $2, t.place, t.file_name, t.content_type, t.byte_size, 'waiting'
             from unnest($3::int[], $4::text[], $5::text[], $6::bigint[]) as t(place, file_name, content_type, byte_size)
           on conflict do nothing`,
    values: [
      of.accountId,
      of.submissionId,
      attachments.map(({ place }) => place),
      attachments.map(({ fileName }) => fileName),
      attachments.map(({ contentType }) => contentType),
      attachments.map(({ byteSize }) => byteSize),
    ],
  })
}

export async function listWaitingAttachments(db: Db, of: SubmissionKey): Promise<readonly number[]> {
  const { rows } = await db.query<{ place: number }>({
    name: 'email_parts_waiting',
    text: `select place from email_parts
            where account_id = $1 and submission_id = $2 and state = 'waiting' order by place`,
    values: [of.accountId, of.submissionId],
  })
  return rows.map(({ place }) => place)
}

/** An attachment with a final result stays as it is. */
export async function resolveAttachment(
  db: Db,
  of: SubmissionKey & { readonly place: number },
  outcome: AttachmentOutcome,
): Promise<void> {
  await db.query({
    name: 'email_part_settle',
    text: `update email_parts set state = $4, reason = $5, document_id = $6, import_id = $7, message_id = $8
            where account_id = $1 and submission_id = $2 and place = $3 and state = 'waiting'`,
    values: [
      of.accountId,
      of.submissionId,
      of.place,
      outcome.state,
      outcome.reason,
      outcome.documentId,
      outcome.importId,
      outcome.messageId,
    ],
  })
}

/**
 * True when the document was made of an attachment of this e-mail and no attachment is linked to it yet: the process
 * ended between the two.
 */
export async function isUnrecordedDocument(
  db: Db,
  of: SubmissionKey & { readonly documentId: string },
): Promise<boolean> {
  const { rows } = await db.query({
    name: 'email_part_unnoted',
    text: `select from documents d
            where d.account_id = $1 and d.id = $3 and d.email_submission_id = $2
              and not exists (select from email_parts p
                               where p.account_id = $1 and p.submission_id = $2 and p.document_id = $3)`,
    values: [of.accountId, of.submissionId, of.documentId],
  })
  return rows.length > 0
}
