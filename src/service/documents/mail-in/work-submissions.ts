/**
 * Works on received e-mails: divides each into parts in a separate process, finds out who sent it, and passes its parts
 * on one after the other. Interrupted work continues at the first part that is not done.
 */

import { addMs } from '../../../core/values/time.ts'
import { openNameServers } from '../../../platform/name-servers.ts'
import type { MailApart } from '../../../sources/mail/mail.ts'
import { proveSender } from '../../../sources/mail/prove-sender.ts'
import { readRawMail } from '../../../sources/mail/raw-mail.ts'
import { readMailApart } from '../../../sources/mail/read-mail-apart.ts'
import { inTransaction } from '../../../store/database.ts'
import {
  insertParts,
  listWaitingPlaces,
  type PartOutcome,
  settlePart,
} from '../../../store/inbound/email-parts.ts'
import {
  keepHead,
  keepProof,
  type LeasedSubmission,
  releaseSubmission,
  takeSubmissions,
} from '../../../store/inbound/email-submissions.ts'
import { listMailboxSenders } from '../../../store/inbound/mailboxes.ts'
import type { Context } from '../../context.ts'
import { refusalOf, type ServiceError } from '../../errors.ts'
import { leaseToken } from '../../ground/holder.ts'
import { keptBeside } from '../../ground/kept-beside.ts'
import { realNow, type Service } from '../../service.ts'
import { readFile } from '../files/keep-file.ts'
import { handOverPart, settled } from './hand-over-part.ts'
import { isListed } from './mailbox-senders.ts'
import { sealBody } from './submission-body.ts'
import { type Permission, permissionOf } from './what-may-be.ts'

/** Longer than the parts of any e-mail take. */
const leaseMs = 1_800_000
const gapMsMax = 3_600_000
/** After this time, a part that could not be passed on is refused, and the work no longer waits for name servers. */
const triedMs = 3 * 86_400_000
const namesTriedMs = 4 * 3_600_000

const findRecordsOf = keptBeside(({ config }: Service) => openNameServers(config.mailIn.nameServers))

/** Takes up to `limit` e-mails and starts them; each promise ends with its e-mail and never rejects. */
export async function workSubmissions(service: Service, limit: number): Promise<readonly Promise<void>[]> {
  const now = realNow(service)
  const token = leaseToken(service)
  const taken = await takeSubmissions(service.pool, { token, now, until: addMs(now, leaseMs), limit })
  return taken.map((leased) => workOne(service, leased, token))
}

async function workOne(service: Service, leased: LeasedSubmission, token: string): Promise<void> {
  const { accountId, id, attempts } = leased
  try {
    const waitMs = await work(service, leased)
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
    const dueAt = addMs(at, gapOf(attempts))
    // The database may be unreachable: then the lease runs out.
    await releaseSubmission(service.pool, { accountId, id, token, at, dueAt }).catch(() => {})
  }
}

function gapOf(attempts: number): number {
  return Math.min(gapMsMax, 5_000 * 2 ** Math.min(attempts, 20))
}

/** Null when all is settled; else in how many milliseconds to go on. */
async function work(service: Service, leased: LeasedSubmission): Promise<number | null> {
  const { accountId, id: submissionId, fileId } = leased
  const file = fileId === null ? null : await readFile(service, { accountId, id: fileId })
  if (file?.kind !== 'found') return giveUp(service, leased, file?.why ?? 'The e-mail is not kept any more.')
  const reading = await readMailApart(file.bytes)
  if (!reading.ok) return giveUp(service, leased, reading.detail)
  const { mail } = reading
  if (!leased.isTakenApart) await keepTakenApart(service, leased, mail)
  const permission = await judge(service, leased, { mail, bytes: file.bytes })
  if (permission === null) return gapOf(leased.attempts)
  let waitMs: number | null = null
  for (const place of await listWaitingPlaces(service.pool, { accountId, submissionId })) {
    const part = mail.parts[place]
    if (part === undefined) {
      // A later version of Landfall may find fewer.
      await settle(service, leased, place, settled('refused', 'The e-mail was read again without this part.'))
      continue
    }
    const submission = { submissionId, createdAt: leased.createdAt, author: mail.head.author }
    const outcome = await tryPart(service, leased, () =>
      handOverPart(service, contextOf(leased), { submission, place, part, permission }),
    )
    if ('waitMs' in outcome) waitMs = Math.max(waitMs ?? 0, outcome.waitMs)
    else await settle(service, leased, place, outcome)
  }
  return waitMs
}

/** The whole e-mail as one part that is refused. */
async function giveUp(service: Service, leased: LeasedSubmission, reason: string): Promise<null> {
  const of = { accountId: leased.accountId, submissionId: leased.id }
  if (!leased.isTakenApart)
    await insertParts(service.pool, of, [
      { place: 0, fileName: null, contentType: 'message/rfc822', byteSize: 0 },
    ])
  for (const place of await listWaitingPlaces(service.pool, of))
    await settle(service, leased, place, settled('refused', reason))
  return null
}

async function settle(
  service: Service,
  leased: LeasedSubmission,
  place: number,
  outcome: PartOutcome,
): Promise<void> {
  const { accountId, id: submissionId } = leased
  await settlePart(service.pool, { accountId, submissionId, place }, outcome)
  service.metrics.emailPartSettled({ state: outcome.state, submissionId, place })
}

async function keepTakenApart(service: Service, leased: LeasedSubmission, mail: MailApart): Promise<void> {
  const { accountId, id } = leased
  const sealedBody = sealBody(service.vault, { id, body: mail.body })
  await inTransaction(service.pool, async (db) => {
    const parts = mail.parts.map((part, place) => ({ ...part, place, byteSize: part.bytes.length }))
    await insertParts(db, { accountId, submissionId: id }, parts)
    await keepHead(db, { accountId, id, sealedBody, at: realNow(service) }, mail.head)
  })
}

/** Null when name servers have to be asked again before anything may be decided. */
async function judge(
  service: Service,
  leased: LeasedSubmission,
  { mail, bytes }: { readonly mail: MailApart; readonly bytes: Buffer },
): Promise<Permission | null> {
  const { accountId, id } = leased
  const { author, echo } = mail.head
  const senders = (await listMailboxSenders(service.pool, accountId)).map(({ sender }) => sender)
  const isOnList = author !== null && isListed(senders, author)
  const judged = { echo, hasList: senders.length > 0, isListed: isOnList }
  const { spf, dkim, isSenderProven } = leased
  if (spf !== null && dkim !== null && isSenderProven !== null)
    return permissionOf({ ...judged, spf, dkim, isProven: isSenderProven })
  const raw = readRawMail(bytes)
  if (raw === null) throw new Error('an e-mail was kept although its header is too long')
  const findRecords = findRecordsOf(service)
  const proof = await proveSender(raw, { author, sending: leased, findRecords })
  const isYoung = service.clock.now() - Date.parse(leased.createdAt) < namesTriedMs
  // Who is not on the list gains nothing by a proof.
  if (proof.isUnsure && isOnList && isYoung) return null
  const isProven = isOnList && proof.isAligned
  await keepProof(service.pool, { accountId, id, spf: proof.spf, dkim: proof.dkim, isSenderProven: isProven })
  return permissionOf({ ...judged, spf: proof.spf, dkim: proof.dkim, isProven })
}

/** What may succeed later is tried again later; it does not keep the other parts from their turn. */
async function tryPart(
  service: Service,
  leased: LeasedSubmission,
  handOver: () => Promise<PartOutcome>,
): Promise<PartOutcome | { readonly waitMs: number }> {
  try {
    return await handOver()
  } catch (error) {
    const refusal = refusalOf(error)
    if (refusal !== null && !isForNow(refusal)) return settled('refused', refusal.detail)
    if (refusal === null) service.metrics.jobFailed({ job: 'email', submissionId: leased.id, error })
    const detail = refusal?.detail ?? 'Landfall failed on it.'
    if (service.clock.now() - Date.parse(leased.createdAt) > triedMs)
      return settled('refused', `It could not be taken in for three days: ${detail}`)
    const asked = (refusal?.retryAfterSeconds ?? 0) * 1_000
    return { waitMs: Math.max(gapOf(leased.attempts), Math.min(asked, gapMsMax)) }
  }
}

const codesForNow: readonly string[] = ['rate_limited', 'unavailable', 'took_too_long', 'conflict']

function isForNow({ code }: ServiceError): boolean {
  return codesForNow.includes(code)
}

/** The account itself acts: the sender of an e-mail is no user of it. */
function contextOf({ accountId, companyName, isFiction, id }: LeasedSubmission): Context {
  return {
    account: { id: accountId, companyName, isFiction },
    actor: { kind: 'system' },
    scopes: ['read', 'write'],
    requestId: `email ${id}`,
  }
}
