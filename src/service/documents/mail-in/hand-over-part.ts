/**
 * Passes an attachment on to where it belongs: it becomes a document, a table of tracking requests, or a message in the
 * channel of a partner. If the process ended after that and before it was recorded, the result is found again and not
 * made twice.
 */

import { namedUuidV7 } from '../../../platform/ids.ts'
import type { EdiSender } from '../../../sources/mail/edi-sender.ts'
import type { MailPart } from '../../../sources/mail/mail.ts'
import { kindOfPart } from '../../../sources/mail/part-kind.ts'
import { listToldChannels, type ToldChannel } from '../../../store/channels/channels.ts'
import { isUnnotedDocument, type PartOutcome } from '../../../store/inbound/email-parts.ts'
import type { Context } from '../../context.ts'
import { deliveryBytesMax } from '../../ground/delivery-size.ts'
import { getColumnMaps } from '../../hearing/imports/column-maps.ts'
import { importTable } from '../../hearing/imports/import-table.ts'
import { takeIn } from '../../hearing/intake/take-in.ts'
import type { Service } from '../../service.ts'
import { contentTypeOf } from '../hand-in/content-type.ts'
import { handInDocument } from '../hand-in/hand-in-document.ts'
import type { Permission } from './what-may-be.ts'

export interface OfSubmission {
  readonly submissionId: string
  readonly createdAt: string
  readonly author: string | null
}

export async function handOverPart(
  service: Service,
  context: Context,
  of: {
    readonly submission: OfSubmission
    readonly place: number
    readonly part: MailPart
    readonly permission: Permission
  },
): Promise<PartOutcome> {
  const { submission, place, part, permission } = of
  if (permission.kind === 'nothing') return settled(permission.state, permission.reason)
  const sorted = kindOfPart(part)
  if (sorted.kind === 'ignored' || sorted.kind === 'refused') return settled(sorted.kind, sorted.reason)
  if (sorted.kind === 'document') return handInPart(service, context, submission, part, sorted.contentType)
  if (permission.kind === 'documents') return settled('refused', permission.reason)
  const key = `${submission.submissionId}:${place}`
  return sorted.kind === 'table'
    ? importPart(service, context, { part, key, createdAt: submission.createdAt })
    : sayPart(service, context, { part, key, sender: sorted.sender })
}

export function settled(state: 'ignored' | 'refused', reason: string): PartOutcome {
  return { state, reason, ...nothing }
}

const nothing = { documentId: null, importId: null, messageId: null }

async function handInPart(
  service: Service,
  context: Context,
  { submissionId, author }: OfSubmission,
  { bytes, fileName }: MailPart,
  contentType: string | null,
): Promise<PartOutcome> {
  const found = contentTypeOf(bytes)
  if (found !== null && !service.config.documents.acceptedTypes.includes(found))
    return settled('refused', `Files of this kind (${found}) are not accepted here.`)
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
  const isOwn = await isUnnotedDocument(service.pool, {
    accountId: context.account.id,
    submissionId,
    documentId,
  })
  return isOwn
    ? { ...nothing, state: 'document', reason: null, documentId }
    : { ...nothing, state: 'repeated', reason: 'The account has a document of the same bytes.', documentId }
}

/** An account decides how its tables are read by a column map of this name. Without one, the lines of rows are found. */
const mapName = 'email'

async function importPart(
  service: Service,
  context: Context,
  of: { readonly part: MailPart; readonly key: string; readonly createdAt: string },
): Promise<PartOutcome> {
  const hasMap = (await getColumnMaps(service, context)).some(({ name }) => name === mapName)
  const id = namedUuidV7(Date.parse(of.createdAt), `email part ${of.key}`)
  const { id: importId } = await importTable(service, context, {
    id,
    bytes: of.part.bytes,
    fileName: of.part.fileName,
    map: hasMap ? mapName : null,
    sheet: null,
    scac: null,
    detectsLine: hasMap ? null : true,
    channel: null,
    writtenAt: null,
    isRehearsal: false,
  })
  return { ...nothing, state: 'import', reason: null, importId }
}

/** Only a channel of the account itself: a channel of the whole installation sends to others too. */
async function sayPart(
  service: Service,
  context: Context,
  of: { readonly part: MailPart; readonly key: string; readonly sender: EdiSender },
): Promise<PartOutcome> {
  const { part, key, sender } = of
  const { language, name } = sender
  const syntax = language === 'x12' ? 'X12' : 'EDIFACT'
  if (name === null) return settled('refused', `The ${syntax} file names no sender.`)
  if (part.bytes.length > deliveryBytesMax)
    return settled('refused', `An EDI file has at most ${deliveryBytesMax / 1_048_576} MB.`)
  const channels = (await listToldChannels(service.pool)).filter(
    (each) => each.accountId === context.account.id && each.isEnabled && each.source === language,
  )
  const [channel, ...others] = channels.filter((each) => isOf(each, name))
  if (channel === undefined)
    return settled(
      'refused',
      `The account has no channel for ${syntax} from ${name}. The operator makes one (landfall channels create … --language ${language} --account …) whose speaker is ${name}, or whose profile has "senders": ["${name}"].`,
    )
  if (others.length > 0)
    return settled('refused', `Several channels of the account are for ${name}: only one may be.`)
  const { messageId } = await takeIn(service, channel, {
    body: part.bytes,
    contentType: null,
    idempotencyKey: `email:${key}`,
  })
  return { ...nothing, state: 'message', reason: null, messageId }
}

function isOf({ speakerCode, profile }: ToldChannel, name: string): boolean {
  const { senders } = profile
  const named = Array.isArray(senders) ? senders : []
  return [speakerCode, ...named].some((each) => String(each).trim().toUpperCase() === name)
}
