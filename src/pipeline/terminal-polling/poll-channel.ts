/**
 * Polls a channel about numbers and stores the answer like a delivery. Its shipments are found as for any other
 * delivery. If the process is killed at any moment, nothing is lost, because the numbers are polled again, and nothing
 * is used twice, because each message part has its own key.
 */

import type { Page } from '../../connectors/pages.ts'
import type { MessagePart } from '../../connectors/pushed-source.ts'
import { findPushedSource } from '../../connectors/pushed-source-registry.ts'
import type { FetchResult, QueueMessage } from '../../connectors/source.ts'
import { inTransaction } from '../../db/database.ts'
import { cooldownMs } from '../../domain/polling/schedule.ts'
import { addMs } from '../../domain/values/time.ts'
import { recordPollResult } from '../../modules/channels/polled-channels-sql.ts'
import { realNow, type Service } from '../../modules/service.ts'
import { decryptSecrets } from '../../platform/encryption.ts'
import { kindOfError, type SpanHandle } from '../../platform/live-span.ts'
import { withSpan } from '../../platform/traces.ts'
import { ingestDelivery, partsPerTransaction } from '../ingestion/ingest-delivery.ts'
import { bareNumber, normalizeMentionedNumber } from '../ledger/known-numbers.ts'
import { messagePartStatus } from '../ledger/parse-message-part.ts'
import { noteRequests } from '../polling/channel-usage-sql.ts'
import { endCooldown, startCooldown } from '../polling/cooldowns-sql.ts'
import { countRequests, type RequestCounter } from '../polling/count-requests.ts'
import { hashDeliveryKey, hashOfBody } from '../response-archive/encrypted-bodies.ts'
import { lastHashes, wereDelivered } from './delivered-before-sql.ts'
import type { ChannelPollJob } from './due-channel-polls.ts'
import { isOfChannel, judgeAnswer, type PollAnswer } from './judge-answer.ts'
import { lockLeasedNumbers } from './lease-numbers-sql.ts'
import { planChannelPolls, toNumberKey } from './plan-channel-polls.ts'
import { notePublished } from './polled-containers-sql.ts'
import { deletePolledNumbers, finishBatchPoll } from './polled-numbers-sql.ts'

/** Never rejects: what goes wrong is logged, counted and tried again. */
export function pollChannel(service: Service, job: ChannelPollJob): Promise<void> {
  const { id, speakerCode } = job.channel
  return withSpan(
    'ask',
    () => ({ kind: 'client', attributes: { 'landfall.who': speakerCode, 'landfall.channel_id': id } }),
    (pollSpan) => pollInSpan(service, job, pollSpan),
  )
}

async function pollInSpan(service: Service, job: ChannelPollJob, pollSpan: SpanHandle): Promise<void> {
  const { channel, numbers, limits } = job
  const { id: channelId, speakerCode: code } = channel
  const counted = countRequests(service, { channelId, code, limits, reserved: job.requests })
  const about = { channel: channel.name, numbers: numbers.length }
  try {
    const result = await fetchAnswer(service, job, counted.requestPermit)
    const source = findPushedSource(channel.source)
    if (source === null) throw new Error(`no channel can have the language ${channel.source}`)
    const judged = judgeAnswer(result, (body) => source.splitDelivery(body, channel.profile))
    // A hash with a secret key, as for everything that is stored of a body: a short body could be guessed from a plain
    // hash.
    const answer = { ...judged, hash: judged.hash && service.encryption.digest(judged.hash) }
    const isUnchanged = numbers.every(({ answerHash: last }) => last !== null && answer.hash?.equals(last))
    if (result.kind === 'answered') await notePublishedOf(service, job, result.published ?? [])
    if (!isUnchanged) await ingestPollAnswer(service, job, answer)
    await confirmMessages(service, job, answer, counted.requestPermit)
    await counted.close()
    await noteRequests(service.pool, channel.id, counted.needed())
    const cooldownUntil = await finishChannelPoll(service, job, answer, result.retryAfterMs ?? 0)
    const logFields = { ...about, durationMs: Math.round(result.durationMs) }
    const { outcome: reason, problem } = answer
    pollSpan.set({ 'landfall.outcome': isUnchanged ? 'unchanged' : reason })
    if (problem !== null) pollSpan.fail(reason)
    if (problem === null) service.metrics.channelAsked({ ...logFields, outcome: isUnchanged ? 'unchanged' : reason })
    else
      service.metrics.channelAskFailed({
        ...logFields,
        reason,
        detail: problem,
        leftAloneUntil: cooldownUntil,
      })
  } catch (error) {
    pollSpan.fail(kindOfError(error))
    service.metrics.jobFailed({ job: 'ask_channel', ...about, error })
    await finishChannelPoll(service, job, ourFault, 0).catch((finishError: unknown) => {
      // The database cannot be reached either. The lease runs out by itself.
      service.log.warn('database.unreachable', { error: finishError })
    })
  }
}

const ourFault: PollAnswer = {
  outcome: 'incomplete',
  problem: 'an unexpected error: see the log',
  isAnswer: false,
  bodies: [],
  hash: null,
}

function decryptChannelAccess({ encryption }: Service, { channel }: ChannelPollJob) {
  const { asking: profile, encryptedSecret } = channel
  const secrets = decryptSecrets(encryption, encryptedSecret)
  return { profile, secrets }
}

function buildPollContext(
  service: Service,
  { channel }: ChannelPollJob,
  requestPermit: RequestCounter['requestPermit'],
) {
  const { publicUrl } = service.config.server
  const inboundUrl = publicUrl === null ? null : `${publicUrl}/v2/inbound/${channel.name}`
  const egress = service.carrierEgress(channel.isSandbox)
  return { egress, now: () => service.clock.now(), inboundUrl, requestPermit }
}

function notePublishedOf(service: Service, { channel, token }: ChannelPollJob, numbers: readonly string[]) {
  return notePublished(service.pool, { channelId: channel.id, token, numbers, at: realNow(service) })
}

/** Confirms to the queue that its messages have been committed here, so that it may delete them. */
async function confirmMessages(
  service: Service,
  job: ChannelPollJob,
  { bodies }: PollAnswer,
  requestPermit: RequestCounter['requestPermit'],
): Promise<void> {
  const messages = bodies.flatMap(({ message }) => message ?? [])
  if (messages.length > 0)
    await job.pollProtocol.acknowledgeMessages?.(
      messages,
      decryptChannelAccess(service, job),
      buildPollContext(service, job, requestPermit),
    )
}

function fetchAnswer(
  service: Service,
  job: ChannelPollJob,
  requestPermit: RequestCounter['requestPermit'],
): Promise<FetchResult> {
  const { channel, pollProtocol, numbers } = job
  const isLine = channel.speakerKind === 'shipping_line'
  return pollProtocol.fetch(
    numbers.map(({ kind, number, facility, publishedAt }) => ({
      kind,
      facility,
      publishedAt,
      number: isLine ? bareNumber(channel.speakerCode, number) : number,
    })),
    decryptChannelAccess(service, job),
    buildPollContext(service, job, requestPermit),
  )
}

/**
 * Ingests each page as a delivery, unless all its message parts were delivered before. Message parts are compared and
 * not pages, because the numbers that are polled together change, and with them the bytes of a page. A message part
 * that states the same of its number as the last one is left out: of a hundred containers only the one with news is
 * stored. The key of the delivery is the same when the same poll gets the same answer again, after a crash.
 */
async function ingestPollAnswer(
  service: Service,
  { channel, numbers }: ChannelPollJob,
  { bodies }: PollAnswer,
): Promise<void> {
  const question = JSON.stringify(numbers.map(({ kind, number, polledAt }) => [kind, number, polledAt]))
  for (const [place, { page, parts: messageParts, message }] of bodies.entries()) {
    if (message !== undefined) {
      await ingestQueueMessage(service, channel, page, message)
      continue
    }
    const delivered = messageParts.map((messagePart) => toDeliveredKey(service, messagePart))
    if (await wereDelivered(service.pool, channel.id, delivered)) continue
    const known =
      messageParts.length > partsPerTransaction
        ? new Set<number>()
        : await findKnownParts(service, channel, messageParts)
    if (known.size === messageParts.length) continue
    const { body, contentType } = page
    const key = service.encryption
      .digest(Buffer.concat([Buffer.from(`${question}\n${place}\n`), body]))
      .toString('base64url')
    await ingestDelivery(service, channel, { body, contentType, idempotencyKey: `asked:${key}`, known })
  }
}

/**
 * Ingests a message from a queue. The same message under the queue's id is one delivery, also if it comes again after a
 * crash.
 */
async function ingestQueueMessage(
  service: Service,
  channel: ChannelPollJob['channel'],
  { body, contentType }: Page,
  { id }: QueueMessage,
): Promise<void> {
  const key = id === null ? null : service.encryption.digest(Buffer.concat([Buffer.from(`${id}\n`), body]))
  const idempotencyKey = key === null ? null : `queue:${key.toString('base64url')}`
  await ingestDelivery(service, channel, { body, contentType, idempotencyKey })
}

/**
 * Places of the message parts that have no key of their sender and state the same of their number as the last part did.
 */
async function findKnownParts(
  { pool, encryption }: Service,
  channel: ChannelPollJob['channel'],
  messageParts: readonly MessagePart[],
): Promise<ReadonlySet<number>> {
  const unkeyed = messageParts.flatMap(({ about: [messageSubject], body, deliveryKey }, place) =>
    messageSubject === undefined || deliveryKey !== null
      ? []
      : [
          {
            place,
            ...messageSubject,
            contentHash: hashOfBody(encryption, { status: messagePartStatus, body }),
          },
        ],
  )
  const last = await lastHashes(pool, channel.id, unkeyed)
  return new Set(
    unkeyed.flatMap(({ place, kind, number, contentHash }) =>
      last.get(`${kind} ${number}`)?.equals(contentHash) === true ? [place] : [],
    ),
  )
}

function toDeliveredKey({ encryption }: Service, messagePart: MessagePart) {
  const [messageSubject] = messagePart.about
  const number = normalizeMentionedNumber(messageSubject?.number ?? '')
  return { kind: messageSubject?.kind ?? '', number, deliveryKey: hashDeliveryKey(encryption, messagePart) }
}

/**
 * Ends the poll and plans the next ones. Returns until when the channel is not polled at all; null when there is no
 * such cooldown.
 */
function finishChannelPoll(
  service: Service,
  job: ChannelPollJob,
  answer: PollAnswer,
  retryAfterMs: number,
): Promise<string | null> {
  const { channel, pollProtocol, numbers, token } = job
  const { problem, hash: answerHash } = answer
  const { refusals } = channel
  const lease = { channelId: channel.id, token }
  const succeeded = problem === null
  const failures = new Map(numbers.map((each) => [toNumberKey(each), each.failures]))
  return inTransaction(service.pool, async (db) => {
    const now = realNow(service)
    const rules = pollProtocol.rulesOf?.(channel.asking) ?? pollProtocol.rules
    const plan = { channel, rules, failures: succeeded ? null : failures }
    // The numbers are locked first. A shipment that becomes known by one of them meanwhile either is seen here, or
    // waits for the lock and then adds the number again.
    const held = await lockLeasedNumbers(db, lease)
    const next = await planChannelPolls(db, service, { ...plan, numbers: held })
    await finishBatchPoll(db, { ...lease, polledAt: now, succeeded, answerHash, next })
    const wanted = new Set(next.map(toNumberKey))
    await deletePolledNumbers(db, { ...lease, numbers: held.filter((each) => !wanted.has(toNumberKey(each))) })
    const requestedMs = isOfChannel(answer.outcome) ? Math.max(retryAfterMs, failureCooldownMs(refusals)) : 0
    const until = requestedMs === 0 ? null : addMs(now, cooldownMs({ requestedMs, refusals }))
    if (until !== null) await startCooldown(db, { credentialId: channel.id, now, until })
    else if (succeeded && refusals > 0) await endCooldown(db, channel.id)
    await recordPollResult(db, {
      channelId: channel.id,
      answeredAt: answer.isAnswer ? now : null,
      trouble: problem,
    })
    return until
  })
}

/**
 * The cooldown of a channel that fails for every poll target and gives no time itself: a minute, doubled with each
 * failure in a row, an hour at most.
 */
function failureCooldownMs(refusals: number): number {
  return Math.min(60_000 * 2 ** Math.min(refusals, 6), 3_600_000)
}
