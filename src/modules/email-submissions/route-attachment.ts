/**
 * Passes an attachment on to where it belongs: it becomes a document, a table of tracking requests, or a message in the
 * channel of a partner. If the process ended after that and before it was recorded, the result is found again and not
 * made twice.
 */

import type { EdiSender } from '../../connectors/email/edi-sender.ts'
import type { MailAttachment } from '../../connectors/email/mail.ts'
import { classifyAttachment } from '../../connectors/email/part-kind.ts'
import { ingestDelivery } from '../../pipeline/ingestion/ingest-delivery.ts'
import { deliveryBytesMax } from '../../platform/delivery-size.ts'
import { namedUuidV7 } from '../../platform/ids.ts'
import type { Context } from '../access/context.ts'
import { type InboundChannel, listInboundChannels } from '../channels/inbound-channels-sql.ts'
import { contentTypeOf } from '../documents/content-type.ts'
import { handInDocument } from '../documents/hand-in-document.ts'
import { getColumnMaps } from '../imports/column-maps.ts'
import { importTable } from '../imports/import-table.ts'
import type { Service } from '../service.ts'
import { type AttachmentOutcome, isUnrecordedDocument } from './email-attachments-sql.ts'
import type { Permission } from './sender-permission.ts'

export interface OfSubmission {
  readonly submissionId: string
  readonly createdAt: string
  readonly author: string | null
}

export async function routeAttachment(
  service: Service,
  context: Context,
  of: {
    readonly submission: OfSubmission
    readonly place: number
    readonly attachment: MailAttachment
    readonly permission: Permission
  },
): Promise<AttachmentOutcome> {
  const { submission, place, attachment, permission } = of
  if (permission.kind === 'nothing') return finalOutcome(permission.state, permission.reason)
  const sorted = classifyAttachment(attachment)
  if (sorted.kind === 'ignored' || sorted.kind === 'refused') return finalOutcome(sorted.kind, sorted.reason)
  if (sorted.kind === 'document') return submitAttachment(service, context, submission, attachment, sorted.contentType)
  if (permission.kind === 'documents') return finalOutcome('refused', permission.reason)
  const key = `${submission.submissionId}:${place}`
  return sorted.kind === 'table'
    ? importAttachment(service, context, { attachment, key, createdAt: submission.createdAt })
    : applyEdiAttachment(service, context, { attachment, key, sender: sorted.sender })
}

export function finalOutcome(state: 'ignored' | 'refused', reason: string): AttachmentOutcome {
  return { state, reason, ...nothing }
}

const nothing = { documentId: null, importId: null, messageId: null }

async function submitAttachment(
  service: Service,
  context: Context,
  { submissionId, author }: OfSubmission,
  { bytes, fileName }: MailAttachment,
  contentType: string | null,
): Promise<AttachmentOutcome> {
  const found = contentTypeOf(bytes)
  if (found !== null && !service.config.documents.acceptedTypes.includes(found))
    return finalOutcome('refused', `Files of this kind (${found}) are not accepted here.`)
  const handed = await handInDocument(service, context, {
    bytes,
    fileName: fileName ?? 'document',
    contentType,
    name: null,
    source: 'email',
    addedBy: author ?? 'e-mail',
    emailSubmissionId: submissionId,
  })
  if (handed.kind === 'made') return { ...nothing, state: 'document', reason: null, documentId: handed.id }
  const documentId = handed.existingDocumentId
  const isOwnDocument = await isUnrecordedDocument(service.pool, {
    accountId: context.account.id,
    submissionId,
    documentId,
  })
  return isOwnDocument
    ? { ...nothing, state: 'document', reason: null, documentId }
    : { ...nothing, state: 'repeated', reason: 'The account already has a document with the same bytes.', documentId }
}

/** An account decides how its tables are read by a column map of this name. Without one, the lines of rows are found. */
const mapName = 'email'

async function importAttachment(
  service: Service,
  context: Context,
  of: { readonly attachment: MailAttachment; readonly key: string; readonly createdAt: string },
): Promise<AttachmentOutcome> {
  const hasMap = (await getColumnMaps(service, context)).some(({ name }) => name === mapName)
  const id = namedUuidV7(Date.parse(of.createdAt), `email part ${of.key}`)
  const { id: importId } = await importTable(service, context, {
    id,
    bytes: of.attachment.bytes,
    fileName: of.attachment.fileName,
    map: hasMap ? mapName : null,
    sheet: null,
    scac: null,
    detectsLine: hasMap ? null : true,
    channel: null,
    writtenAt: null,
    isDryRun: false,
  })
  return { ...nothing, state: 'import', reason: null, importId }
}

/** Only a channel of the account itself: a channel of the whole installation sends to others too. */
async function applyEdiAttachment(
  service: Service,
  context: Context,
  of: { readonly attachment: MailAttachment; readonly key: string; readonly sender: EdiSender },
): Promise<AttachmentOutcome> {
  const { attachment, key, sender } = of
  const { language, name } = sender
  const syntax = language === 'x12' ? 'X12' : 'EDIFACT'
  if (name === null) return finalOutcome('refused', `The ${syntax} file names no sender.`)
  if (attachment.bytes.length > deliveryBytesMax)
    return finalOutcome('refused', `An EDI file has at most ${deliveryBytesMax / 1_048_576} MB.`)
  const channels = (await listInboundChannels(service.pool)).filter(
    (each) => each.accountId === context.account.id && each.isEnabled && each.source === language,
  )
  const [channel, ...others] = channels.filter((each) => hasSenderName(each, name))
  if (channel === undefined)
    return finalOutcome(
      'refused',
      `The account has no channel for ${syntax} from ${name}. The operator makes one (landfall channels create … --language ${language} --account …) whose speaker is ${name}, or whose profile has "senders": ["${name}"].`,
    )
  if (others.length > 0)
    return finalOutcome('refused', `The account has several channels for ${name}; only one is allowed.`)
  const { messageId } = await ingestDelivery(service, channel, {
    body: attachment.bytes,
    contentType: null,
    idempotencyKey: `email:${key}`,
  })
  return { ...nothing, state: 'message', reason: null, messageId }
}

function hasSenderName({ speakerCode, profile }: InboundChannel, name: string): boolean {
  const { senders } = profile
  const named = Array.isArray(senders) ? senders : []
  return [speakerCode, ...named].some((each) => String(each).trim().toUpperCase() === name)
}
