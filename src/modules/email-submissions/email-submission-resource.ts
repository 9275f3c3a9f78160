/** `email_submission`: an e-mail that came to an account, and the result of each of its attachments. */

import { type IdentifiedReading, type ResourceKind, toMany, toOne } from '../../api/shape/resource-kind.ts'
import * as schema from '../../api/shape/schema.ts'
import { cutText } from '../../connectors/email/cut-text.ts'
import { Type } from '../../platform/json-schema.ts'
import { attachmentStates } from './email-attachments-sql.ts'
import { type SubmissionAttachment, submissionStatuses } from './list-email-submissions-sql.ts'
import type { Submission } from './list-submissions.ts'

export interface EmailSubmissionReading extends IdentifiedReading {
  readonly type: 'email_submission'
  readonly submission: Submission
}

export function readSubmission(submission: Submission): EmailSubmissionReading {
  return { type: 'email_submission', id: submission.id, submission }
}

const whole = Type.Integer({ minimum: 0 })
const previewLength = 200

const attachments = schema.list(
  schema.object({
    place: whole,
    file_name: schema.textOrNull(),
    content_type: schema.textOrNull({ description: 'The type that the e-mail states.' }),
    byte_size: whole,
    state: schema.oneOf(attachmentStates, {
      description:
        '`waiting`: not processed yet. `document`, `import`, `message`: this was created from it; its id is in the part. `repeated`: the account already had a document with the same bytes; its id is in the part. `refused`, `ignored`: `reason` says why.',
    }),
    reason: schema.textOrNull(),
    document_id: schema.textOrNull(),
    import_id: schema.textOrNull(),
    inbound_message_id: schema.textOrNull(),
  }),
  {
    description: 'The attachments, in the order of the e-mail. Attachments of e-mails inside it are included.',
  },
)

export const emailSubmission: ResourceKind<EmailSubmissionReading> = {
  type: 'email_submission',
  attributes: {
    subject: schema.text({ description: 'Empty until the e-mail is processed.' }),
    body: schema.textOrNull({ description: 'The text of the e-mail, at most 100,000 characters.' }),
    body_preview: schema.textOrNull(),
    from: schema.texts(),
    to: schema.texts(),
    cc: schema.texts(),
    sent_at: schema.instantOrNull({ description: 'Null if the e-mail has no date with a zone.' }),
    message_id: schema.textOrNull(),
    in_reply_to: schema.textOrNull(),
    references: schema.texts(),
    content_type: schema.textOrNull(),
    documents_count: whole,
    status: schema.oneOf(submissionStatuses, {
      description: '`working`: a part of it is not processed yet.',
    }),
    spf: schema.textOrNull({ description: 'Result of SPF (RFC 7208); null until it is known.' }),
    dkim: schema.textOrNull({ description: 'Result of DKIM (RFC 6376); null until it is known.' }),
    is_sender_proven: Type.Unsafe({
      type: ['boolean', 'null'],
      description:
        'The sender is on the list of the account, and SPF or DKIM passed for its own domain; null until it is known.',
    }),
    mailbox_id: schema.text({ description: 'Id of the mailbox to which it was sent.' }),
    parts: attachments,
    created_at: schema.instant(),
    updated_at: schema.instant(),
  },
  relations: { account: toOne('account'), user: toOne('user'), documents: toMany('document') },
  write: ({ submission }) => ({
    subject: submission.subject,
    body: submission.body,
    body_preview: submission.body === null ? null : previewOf(submission.body),
    from: submission.from,
    to: submission.to,
    cc: submission.cc,
    sent_at: submission.sentAt,
    message_id: submission.messageId,
    in_reply_to: submission.inReplyTo,
    references: submission.references,
    content_type: submission.contentType,
    documents_count: submission.documentIds.length,
    status: submission.status,
    spf: submission.spf,
    dkim: submission.dkim,
    is_sender_proven: submission.isSenderVerified,
    mailbox_id: submission.mailboxId,
    parts: submission.parts.map(writeAttachment),
    created_at: submission.createdAt,
    updated_at: submission.updatedAt,
  }),
  link: ({ submission }) => ({
    account: { type: 'account', id: submission.accountId },
    // A sender of e-mail is no user of the account.
    user: null,
    documents: submission.documentIds.map((id) => ({ type: 'document', id })),
  }),
  self: ({ id }) => `/email_submissions/${id}`,
}

function previewOf(body: string): string {
  return cutText(body.replace(/\s+/g, ' '), previewLength)
}

function writeAttachment(attachment: SubmissionAttachment): Readonly<Record<string, unknown>> {
  return {
    place: attachment.place,
    file_name: attachment.fileName,
    content_type: attachment.contentType,
    byte_size: attachment.byteSize,
    state: attachment.state,
    reason: attachment.reason,
    document_id: attachment.documentId,
    import_id: attachment.importId,
    inbound_message_id: attachment.messageId,
  }
}
