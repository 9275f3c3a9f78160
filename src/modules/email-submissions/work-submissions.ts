/**
 * Works on received e-mails: divides each into attachments in a separate process, finds out who sent it, and passes its
 * attachments on one after the other. Interrupted work continues at the first attachment that is not done.
 */

import type { ParsedMail } from '../../connectors/email/mail.ts'
import { proveSender } from '../../connectors/email/prove-sender.ts'
import { readRawMail } from '../../connectors/email/raw-mail.ts'
import { readMailInJail } from '../../connectors/email/read-mail-apart.ts'
import { inTransaction } from '../../db/database.ts'
import { addDays, addMs } from '../../domain/values/time.ts'
import { leaseToken } from '../../pipeline/jobs/holder.ts'
import { memoizePerOwner } from '../../platform/memoize-per-owner.ts'
import { openNameServers } from '../../platform/name-servers.ts'
import type { Context } from '../access/context.ts'
import { discardFile, readFile } from '../documents/store-file.ts'
import { refusalOf, type ServiceError } from '../errors.ts'
import { realNow, type Service } from '../service.ts'
import {
  type AttachmentOutcome,
  insertAttachments,
  listWaitingAttachments,
  resolveAttachment,
} from './email-attachments-sql.ts'
import {
  forgetMailFiles,
  type LeasedSubmission,
  leaseSubmissions,
  releaseSubmission,
  saveHead,
  saveSenderVerification,
} from './email-submissions-sql.ts'
import { isListed } from './mailbox-senders.ts'
import { listMailboxSenders } from './mailboxes-sql.ts'
import { finalOutcome, routeAttachment } from './route-attachment.ts'
import { type Permission, permissionOf } from './sender-permission.ts'
import { encryptBody } from './submission-body.ts'

/** Longer than the attachments of any e-mail take. */
const leaseMs = 1_800_000
const gapMsMax = 3_600_000
/**
 * After this time, an attachment that could not be passed on is refused, and the work no longer waits for name servers.
 */
const triedMs = 3 * 86_400_000
const namesTriedMs = 4 * 3_600_000

const findRecordsOf = memoizePerOwner(({ config }: Service) => openNameServers(config.mailIn.nameServers))

/** Leases up to `limit` e-mails and starts them; each promise ends with its e-mail and never rejects. */
export async function workSubmissions(service: Service, limit: number): Promise<readonly Promise<void>[]> {
  const now = realNow(service)
  const token = leaseToken(service)
  const acquired = await leaseSubmissions(service.pool, { token, now, until: addMs(now, leaseMs), limit })
  return acquired.map((leased) => workOne(service, leased, token))
}

async function workOne(service: Service, leased: LeasedSubmission, token: string): Promise<void> {
  const { accountId, id, attempts } = leased
  try {
    const waitMs = await processSubmission(service, leased)
    const at = realNow(service)
    await releaseSubmission(service.pool, {
      accountId,
      id,
      token,
      at,
      dueAt: waitMs === null ? null : addMs(at, waitMs),
    })
  } catch (error) {
    service.metrics.jobFailed({ job: 'email', submissionId: id, error })
    const at = realNow(service)
    const dueAt = addMs(at, submissionRetryMs(attempts))
    // The database may be unreachable: then the lease runs out.
    await releaseSubmission(service.pool, { accountId, id, token, at, dueAt }).catch(() => {})
  }
}

function submissionRetryMs(attempts: number): number {
  return Math.min(gapMsMax, 5_000 * 2 ** Math.min(attempts, 20))
}

/** Null when all is settled; else in how many milliseconds to go on. */
async function processSubmission(service: Service, leased: LeasedSubmission): Promise<number | null> {
  const { accountId, id: submissionId, fileId } = leased
  const file = fileId === null ? null : await readFile(service, { accountId, id: fileId })
  if (file?.kind !== 'found') return giveUp(service, leased, file?.why ?? 'The e-mail is no longer stored.')
  const reading = await readMailInJail(file.bytes)
  if (!reading.ok) return giveUp(service, leased, reading.detail)
  const { mail } = reading
  if (!leased.isParsed) await storeAttachments(service, leased, mail)
  const permission = await decidePermission(service, leased, { mail, bytes: file.bytes })
  if (permission === null) return submissionRetryMs(leased.attempts)
  let waitMs: number | null = null
  for (const place of await listWaitingAttachments(service.pool, { accountId, submissionId })) {
    const attachment = mail.parts[place]
    if (attachment === undefined) {
      // A later version of Landfall may find fewer.
      await completeAttachment(
        service,
        leased,
        place,
        finalOutcome('refused', 'Landfall read the e-mail again and did not find this part.'),
      )
      continue
    }
    const submission = { submissionId, createdAt: leased.createdAt, author: mail.head.author }
    const outcome = await tryAttachment(service, leased, () =>
      routeAttachment(service, contextOf(leased), { submission, place, attachment, permission }),
    )
    if ('waitMs' in outcome) waitMs = Math.max(waitMs ?? 0, outcome.waitMs)
    else await completeAttachment(service, leased, place, outcome)
  }
  return waitMs
}

/** The complete e-mail as one attachment that is refused. */
async function giveUp(service: Service, leased: LeasedSubmission, reason: string): Promise<null> {
  const of = { accountId: leased.accountId, submissionId: leased.id }
  if (!leased.isParsed)
    await insertAttachments(service.pool, of, [
      { place: 0, fileName: null, contentType: 'message/rfc822', byteSize: 0 },
    ])
  for (const place of await listWaitingAttachments(service.pool, of))
    await completeAttachment(service, leased, place, finalOutcome('refused', reason))
  return null
}

async function completeAttachment(
  service: Service,
  leased: LeasedSubmission,
  place: number,
  outcome: AttachmentOutcome,
): Promise<void> {
  const { accountId, id: submissionId } = leased
  await resolveAttachment(service.pool, { accountId, submissionId, place }, outcome)
  service.metrics.emailPartSettled({ state: outcome.state, submissionId, place })
}

async function storeAttachments(service: Service, leased: LeasedSubmission, mail: ParsedMail): Promise<void> {
  const { accountId, id } = leased
  const encryptedBody = encryptBody(service.encryption, { id, body: mail.body })
  await inTransaction(service.pool, async (db) => {
    const attachments = mail.parts.map((attachment, place) => ({
      ...attachment,
      place,
      byteSize: attachment.bytes.length,
    }))
    await insertAttachments(db, { accountId, submissionId: id }, attachments)
    await saveHead(db, { accountId, id, encryptedBody, at: realNow(service) }, mail.head)
  })
}

/** Null when name servers must be queried again before a decision. */
async function decidePermission(
  service: Service,
  leased: LeasedSubmission,
  { mail, bytes }: { readonly mail: ParsedMail; readonly bytes: Buffer },
): Promise<Permission | null> {
  const { accountId, id } = leased
  const { author, echo } = mail.head
  const senders = (await listMailboxSenders(service.pool, accountId)).map(({ sender }) => sender)
  const isOnList = author !== null && isListed(senders, author)
  const judged = { echo, hasList: senders.length > 0, isListed: isOnList }
  const { spf, dkim, isSenderVerified } = leased
  if (spf !== null && dkim !== null && isSenderVerified !== null)
    return permissionOf({ ...judged, spf, dkim, isVerified: isSenderVerified })
  const raw = readRawMail(bytes)
  if (raw === null) throw new Error('a stored e-mail has a header that is too long')
  const findRecords = findRecordsOf(service)
  const proof = await proveSender(raw, { author, sending: leased, findRecords })
  const isYoung = service.clock.now() - Date.parse(leased.createdAt) < namesTriedMs
  // Who is not on the list gains nothing by a proof.
  if (proof.isUnsure && isOnList && isYoung) return null
  const isVerified = isOnList && proof.isAligned
  await saveSenderVerification(service.pool, {
    accountId,
    id,
    spf: proof.spf,
    dkim: proof.dkim,
    isSenderVerified: isVerified,
  })
  return permissionOf({ ...judged, spf: proof.spf, dkim: proof.dkim, isVerified })
}

/** What may succeed later is tried again later; it does not delay the other attachments. */
async function tryAttachment(
  service: Service,
  leased: LeasedSubmission,
  handOver: () => Promise<AttachmentOutcome>,
): Promise<AttachmentOutcome | { readonly waitMs: number }> {
  try {
    return await handOver()
  } catch (error) {
    const refusal = refusalOf(error)
    if (refusal !== null && !isTemporaryRefusal(refusal)) return finalOutcome('refused', refusal.detail)
    if (refusal === null) service.metrics.jobFailed({ job: 'email', submissionId: leased.id, error })
    const detail = refusal?.detail ?? 'An internal error of Landfall.'
    if (service.clock.now() - Date.parse(leased.createdAt) > triedMs)
      return finalOutcome('refused', `It could not be processed for three days: ${detail}`)
    const requestedMs = (refusal?.retryAfterSeconds ?? 0) * 1_000
    return { waitMs: Math.max(submissionRetryMs(leased.attempts), Math.min(requestedMs, gapMsMax)) }
  }
}

const codesForNow: readonly string[] = ['rate_limited', 'unavailable', 'took_too_long', 'conflict']

function isTemporaryRefusal({ code }: ServiceError): boolean {
  return codesForNow.includes(code)
}

/** The account itself acts: the sender of an e-mail is no user of it. */
function contextOf({ accountId, companyName, isSandbox, id }: LeasedSubmission): Context {
  return {
    account: { id: accountId, companyName, isSandbox },
    actor: { kind: 'system' },
    scopes: ['read', 'write'],
    requestId: `email ${id}`,
  }
}

const filesAtOnce = 200

/**
 * Deletes original e-mails some time after all their attachments were passed on. Handles one batch; returns how many there
 * were. Any number of processes may do it at once.
 */
export async function forgetMails(service: Service): Promise<number> {
  const before = addDays(realNow(service), -service.config.mailIn.keptDays)
  return inTransaction(service.pool, async (db) => {
    const files = await forgetMailFiles(db, { before, limit: filesAtOnce })
    for (const file of files) await discardFile(db, service, file)
    return files.length
  })
}
