/**
 * Asks a channel about numbers and stores the answer like a delivery. Its shipments are found as for any other
 * delivery. If the process is killed at any moment, nothing is lost, because the numbers are asked about again, and
 * nothing is used twice, because each part has its own key.
 */

import { leaveAloneMs } from '../../../core/looking/schedule.ts'
import { addMs } from '../../../core/values/time.ts'
import { kindOfError, type ToldSpan } from '../../../platform/live-span.ts'
import { span } from '../../../platform/traces.ts'
import type { Page } from '../../../sources/pages.ts'
import type { FetchResult, QueueMessage } from '../../../sources/source.ts'
import type { ToldPart } from '../../../sources/told.ts'
import { findToldSource } from '../../../sources/told-registry.ts'
import { notePublished } from '../../../store/channels/asked-boxes.ts'
import { noteAsked } from '../../../store/channels/asked-channels.ts'
import { lockTakenNumbers } from '../../../store/channels/asked-lease.ts'
import { deleteAskedNumbers, finishAsking } from '../../../store/channels/asked-numbers.ts'
import { noteRequests } from '../../../store/channels/channel-spending.ts'
import { inTransaction } from '../../../store/database.ts'
import { lastHashes, wereDelivered } from '../../../store/inbound/told-before.ts'
import { askLineAgain, leaveLineAlone } from '../../../store/looks/line-slots.ts'
import { hashOfBody, keyedDelivery } from '../../ground/sealed-bodies.ts'
import { bareNumber, tidyMentioned } from '../../ledger/known-numbers.ts'
import { realNow, type Service } from '../../service.ts'
import { openSecrets } from '../../vault.ts'
import { partStatus, partsAtOnce, takeIn } from '../intake/take-in.ts'
import { type Counted, countRequests } from '../pacing/count-requests.ts'
import { type AskedAnswer, isOfChannel, judgeAnswer } from './answer.ts'
import { nameOf, planAskings } from './plan-asking.ts'
import type { AskingJob } from './take-askings.ts'

/** Never rejects: what goes wrong is logged, counted and tried again. */
export function askChannel(service: Service, job: AskingJob): Promise<void> {
  const { id, speakerCode } = job.channel
  return span(
    'ask',
    () => ({ kind: 'client', attributes: { 'landfall.who': speakerCode, 'landfall.channel_id': id } }),
    (told) => askWithin(service, job, told),
  )
}

async function askWithin(service: Service, job: AskingJob, spoken: ToldSpan): Promise<void> {
  const { channel, numbers, limits } = job
  const { id: channelId, speakerCode: code } = channel
  const counted = countRequests(service, { channelId, code, limits, taken: job.requests })
  const about = { channel: channel.name, numbers: numbers.length }
  try {
    const result = await fetchAnswer(service, job, counted.leave)
    const source = findToldSource(channel.source)
    if (source === null) throw new Error(`no channel can speak ${channel.source}`)
    const judged = judgeAnswer(result, (body) => source.partsOf(body, channel.profile))
    // A hash with a secret key, as for everything that is kept of a body: a short body could be guessed from a plain
    // hash.
    const answer = { ...judged, hash: judged.hash && service.vault.digest(judged.hash) }
    const isUnchanged = numbers.every(({ answerHash: last }) => last !== null && answer.hash?.equals(last))
    if (result.kind === 'answered') await notePublishedOf(service, job, result.published ?? [])
    if (!isUnchanged) await takeInAnswer(service, job, answer)
    await settleMessages(service, job, answer, counted.leave)
    await counted.close()
    await noteRequests(service.pool, channel.id, counted.needed())
    const leftAloneUntil = await finish(service, job, answer, result.retryAfterMs ?? 0)
    const told = { ...about, durationMs: Math.round(result.durationMs) }
    const { outcome: reason, trouble } = answer
    spoken.set({ 'landfall.outcome': isUnchanged ? 'unchanged' : reason })
    if (trouble !== null) spoken.fail(reason)
    if (trouble === null)
      service.metrics.channelAsked({ ...told, outcome: isUnchanged ? 'unchanged' : reason })
    else service.metrics.channelAskFailed({ ...told, reason, detail: trouble, leftAloneUntil })
  } catch (error) {
    spoken.fail(kindOfError(error))
    service.metrics.jobFailed({ job: 'ask_channel', ...about, error })
    await finish(service, job, ourFault, 0).catch((cause: unknown) => {
      // The database cannot be reached either. The lease runs out by itself.
      service.log.warn('database.unreachable', { error: cause })
    })
  }
}

const ourFault: AskedAnswer = {
  outcome: 'incomplete',
  trouble: 'an unexpected error: see the log',
  isAnswer: false,
  bodies: [],
  hash: null,
}

function accessOf({ vault }: Service, { channel }: AskingJob) {
  const { asking: profile, secretSealed } = channel
  const secrets = openSecrets(vault, secretSealed)
  return { profile, secrets }
}

function contextOf(service: Service, { channel }: AskingJob, leave: Counted['leave']) {
  const { publicUrl } = service.config.server
  const inboundUrl = publicUrl === null ? null : `${publicUrl}/v2/inbound/${channel.name}`
  const egress = service.carrierEgress(channel.isFiction)
  return { egress, now: () => service.clock.now(), inboundUrl, leave }
}

function notePublishedOf(service: Service, { channel, token }: AskingJob, numbers: readonly string[]) {
  return notePublished(service.pool, { channelId: channel.id, token, numbers, at: realNow(service) })
}

/** Confirms to the queue that its messages have been committed here, so that it may delete them. */
async function settleMessages(
  service: Service,
  job: AskingJob,
  { bodies }: AskedAnswer,
  leave: Counted['leave'],
): Promise<void> {
  const messages = bodies.flatMap(({ message }) => message ?? [])
  if (messages.length > 0)
    await job.asking.settle?.(messages, accessOf(service, job), contextOf(service, job, leave))
}

function fetchAnswer(service: Service, job: AskingJob, leave: Counted['leave']): Promise<FetchResult> {
  const { channel, asking, numbers } = job
  const isLine = channel.speakerKind === 'shipping_line'
  return asking.fetch(
    numbers.map(({ kind, number, facility, publishedAt }) => ({
      kind,
      facility,
      publishedAt,
      number: isLine ? bareNumber(channel.speakerCode, number) : number,
    })),
    accessOf(service, job),
    contextOf(service, job, leave),
  )
}

/**
 * Takes in each page as a delivery, unless all its parts were delivered before. Parts are compared and not pages,
 * because the numbers that are asked about together change, and with them the bytes of a page. A part that says the
 * same of its number as the last one is left out: of a hundred boxes only the one with news is kept. The key of the
 * delivery is the same when the same question gets the same answer again, after a crash.
 */
async function takeInAnswer(
  service: Service,
  { channel, numbers }: AskingJob,
  { bodies }: AskedAnswer,
): Promise<void> {
  const question = JSON.stringify(numbers.map(({ kind, number, askedAt }) => [kind, number, askedAt]))
  for (const [place, { page, parts, message }] of bodies.entries()) {
    if (message !== undefined) {
      await takeInMessage(service, channel, page, message)
      continue
    }
    const delivered = parts.map((part) => deliveredAs(service, part))
    if (await wereDelivered(service.pool, channel.id, delivered)) continue
    const known = parts.length > partsAtOnce ? new Set<number>() : await knownParts(service, channel, parts)
    if (known.size === parts.length) continue
    const { body, contentType } = page
    const key = service.vault
      .digest(Buffer.concat([Buffer.from(`${question}\n${place}\n`), body]))
      .toString('base64url')
    await takeIn(service, channel, { body, contentType, idempotencyKey: `asked:${key}`, known })
  }
}

/**
 * Takes in a message from a queue. The same message under the queue's id is one delivery, also if it comes again after
 * a crash.
 */
async function takeInMessage(
  service: Service,
  channel: AskingJob['channel'],
  { body, contentType }: Page,
  { id }: QueueMessage,
): Promise<void> {
  const key = id === null ? null : service.vault.digest(Buffer.concat([Buffer.from(`${id}\n`), body]))
  const idempotencyKey = key === null ? null : `queue:${key.toString('base64url')}`
  await takeIn(service, channel, { body, contentType, idempotencyKey })
}

/** Places of the parts that have no key of their sender and say the same of their number as the last part did. */
async function knownParts(
  { pool, vault }: Service,
  channel: AskingJob['channel'],
  parts: readonly ToldPart[],
): Promise<ReadonlySet<number>> {
  const unkeyed = parts.flatMap(({ about: [subject], body, deliveryKey }, place) =>
    subject === undefined || deliveryKey !== null
      ? []
      : [{ place, ...subject, contentHash: hashOfBody(vault, { status: partStatus, body }) }],
  )
  const last = await lastHashes(pool, channel.id, unkeyed)
  return new Set(
    unkeyed.flatMap(({ place, kind, number, contentHash }) =>
      last.get(`${kind} ${number}`)?.equals(contentHash) === true ? [place] : [],
    ),
  )
}

function deliveredAs({ vault }: Service, part: ToldPart) {
  const [subject] = part.about
  const number = tidyMentioned(subject?.number ?? '')
  return { kind: subject?.kind ?? '', number, deliveryKey: keyedDelivery(vault, part) }
}

/**
 * Ends the question and plans the next ones. Returns until when the channel is not asked about anything; null when
 * there is no such pause.
 */
function finish(
  service: Service,
  job: AskingJob,
  answer: AskedAnswer,
  retryAfterMs: number,
): Promise<string | null> {
  const { channel, asking, numbers, token } = job
  const { trouble, hash: answerHash } = answer
  const { refusals } = channel
  const lease = { channelId: channel.id, token }
  const succeeded = trouble === null
  const failures = new Map(numbers.map((each) => [nameOf(each), each.failures]))
  return inTransaction(service.pool, async (db) => {
    const now = realNow(service)
    const rules = asking.rulesOf?.(channel.asking) ?? asking.rules
    const plan = { channel, rules, failures: succeeded ? null : failures }
    // The numbers are locked first. A shipment that becomes known by one of them meanwhile either is seen here, or
    // waits for the lock and then adds the number again.
    const held = await lockTakenNumbers(db, lease)
    const next = await planAskings(db, service, { ...plan, numbers: held })
    await finishAsking(db, { ...lease, askedAt: now, succeeded, answerHash, next })
    const wanted = new Set(next.map(nameOf))
    await deleteAskedNumbers(db, { ...lease, numbers: held.filter((each) => !wanted.has(nameOf(each))) })
    const askedMs = isOfChannel(answer.outcome) ? Math.max(retryAfterMs, restMs(refusals)) : 0
    const until = askedMs === 0 ? null : addMs(now, leaveAloneMs({ askedMs, refusals }))
    if (until !== null) await leaveLineAlone(db, { credentialId: channel.id, now, until })
    else if (succeeded && refusals > 0) await askLineAgain(db, channel.id)
    await noteAsked(db, { channelId: channel.id, answeredAt: answer.isAnswer ? now : null, trouble })
    return until
  })
}

/**
 * The pause of a channel that fails whatever it is asked about and gives no time itself: a minute, doubled with each
 * failure in a row, an hour at most.
 */
function restMs(refusals: number): number {
  return Math.min(60_000 * 2 ** Math.min(refusals, 6), 3_600_000)
}
