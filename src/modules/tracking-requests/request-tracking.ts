/** Accepts a tracking request: checks what can be checked at once, stores it and makes its number due for a poll. */

import { afterCommit, type Db, inDryRun, inTransaction } from '../../db/database.ts'
import { sendTrace } from '../../db/trace-notices.ts'
import { wakeWorkers } from '../../db/wake-workers.ts'
import { kindOfType, type RequestType } from '../../domain/tracking-requests/tracking-request-state.ts'
import { isInAscii, testScac } from '../../domain/values/identifiers.ts'
import { commitEntries } from '../../pipeline/ledger/commit-entries.ts'
import { foldBy } from '../../pipeline/ledger/fold.ts'
import { foldRequestCreated } from '../../pipeline/ledger/fold-request-created.ts'
import type { RequestCreated } from '../../pipeline/ledger/ledger-payload-sql.ts'
import { normalizeTexts } from '../../pipeline/ledger/normalize-texts.ts'
import { retryOnConflict } from '../../pipeline/ledger/retry-on-conflict.ts'
import { readRules } from '../../pipeline/ledger/rules.ts'
import { findLiveInState } from '../../pipeline/ledger/state-rows.ts'
import { ensurePollTarget } from '../../pipeline/polling/poll-targets-sql.ts'
import { uuidV7 } from '../../platform/ids.ts'
import { findNamedLine } from '../../reference/named-lines.ts'
import { findShippingLine } from '../../reference/shipping-lines.ts'
import { type Context, requireScope } from '../access/context.ts'
import { type Credential, findCredential } from '../accounts/accounts-sql.ts'
import { createEnabledCheck, requireEnabled } from '../carriers/enabled-lines.ts'
import { carrierNotConfiguredError } from '../carriers/not-configured.ts'
import { canPollBy, canTrackBy, unsupportedKind } from '../carriers/request-types.ts'
import { ServiceError } from '../errors.ts'
import { predictLine } from '../inference/predict-line.ts'
import { journeyNow, realNow, type Service } from '../service.ts'
import { openLineSearch, orderCandidateLines, requestTypeOf } from './candidate-lines.ts'
import { checkNumber, invalidNumber } from './check-number.ts'
import { extractNumber } from './extract-number.ts'
import { findLiveRequest, lockDetectingRequest } from './live-requests-sql.ts'
import { findPushAccess, insertPushOnlyRequest } from './push-only-requests-sql.ts'
import { readNeighbours } from './request-batches-sql.ts'
import { checkExtras, type RequestExtras, type SourceMessage, storeExtras } from './request-extras.ts'

export interface TrackingRequestInput extends RequestExtras {
  readonly requestType: RequestType
  readonly requestNumber: string
  readonly scac: string
  readonly refNumbers: readonly string[]
  readonly shipmentTags: readonly string[]
}

/** A request whose line must be found, and the kind of its number too if that is null. */
export interface LineDetectionInput extends Omit<TrackingRequestInput, 'requestType' | 'scac'> {
  readonly requestType: RequestType | null
  readonly scac: null
}

/**
 * Refuses unknown lines, invalid numbers, kinds of number by which the line cannot be tracked, and numbers that are
 * tracked already.
 */
export async function requestTracking(
  service: Service,
  context: Context,
  sent: TrackingRequestInput | LineDetectionInput,
  options: CreationOptions = {},
): Promise<{ readonly id: string }> {
  requireScope(context, 'write')
  const pointer = '/data/attributes/request_number'
  const requestNumber = extractNumber(sent.requestNumber, { ...sent, pointer })
  const input = { ...sent, requestNumber }
  // Of two calls at the same moment the unique index lets one through. The second try of the other call then sees that
  // request.
  return retryOnConflict(async () => {
    const target =
      input.scac === null
        ? await targetOfSearch(service, context, input, options)
        : targetAtLine(service, context, input)
    const make = (db: Db) => makeRequest(db, service, context, { input, options, target })
    if (options.isDryRun === true) return inDryRun(service.pool, make)
    return inTransaction(service.pool, async (db) => {
      const { id, subjectId: pollTargetId } = await make(db)
      if (pollTargetId !== null) await sendTrace(db, [pollTargetId])
      wakeWorkers(db, 'looks')
      return { id }
    })
  })
}

export interface CreationOptions {
  /** A new id is made when left out. */
  readonly id?: string
  /** Everything is checked as if it were made, and nothing is written. */
  readonly isDryRun?: boolean
  /** Its place in the batch that it came in: numbers near it in the batch are evidence for its line. */
  readonly listed?: { readonly batchId: string; readonly place: number }
  /** The message that it is made from, for the audit log. */
  readonly sourceMessage?: SourceMessage
}

/** What is polled for a request: the number at its line, or first at one of the lines that may have it. */
interface PollTarget {
  readonly requestType: RequestType
  /** Refuses a number that is tracked already. */
  readonly open: (db: Db) => Promise<{
    readonly now: string
    readonly subjectId: string | null
    readonly target: Pick<RequestCreated, 'number' | 'scac' | 'isToldOf' | 'candidates' | 'search'>
  }>
}

/** Runs in the caller's transaction. Does all that a dry run has to check. */
async function makeRequest(
  db: Db,
  service: Service,
  context: Context,
  of: {
    readonly input: TrackingRequestInput | LineDetectionInput
    readonly options: CreationOptions
    readonly target: PollTarget
  },
): Promise<{ readonly id: string; readonly subjectId: string | null }> {
  const { input: extras, options } = of
  const { requestType: type, open } = of.target
  const { now, subjectId: pollTargetId, target } = await open(db)
  const id = options.id ?? uuidV7(service.clock.now())
  const payload: RequestCreated = {
    requestType: type,
    requestNumber: extras.requestNumber,
    ...target,
    refNumbers: normalizeTexts(extras.refNumbers),
    shipmentTags: normalizeTexts(extras.shipmentTags),
    ...(await checkExtras(db, context, extras)),
  }
  const { id: accountId, isSandbox } = context.account
  await appendRequestCreated(db, service, { accountId, id, subjectId: pollTargetId, now, payload })
  const { scac, isToldOf: isPushed } = target
  if (isPushed && scac !== null) await insertPushOnlyRequest(db, { accountId, id, scac, isSandbox })
  afterCommit(db, () => service.metrics.trackingRequestCreated({ scac: scac ?? 'unknown', type }))
  await storeExtras(db, service, context, { id, extras, sourceMessage: options.sourceMessage })
  return { id, subjectId: pollTargetId }
}

/** The line that the request names. Refuses what can be refused without the database at once. */
function targetAtLine(service: Service, context: Context, input: TrackingRequestInput): PollTarget {
  const { scac, number } = checkInput(input)
  const { requestType } = input
  const { id: accountId, isSandbox } = context.account
  const key = { accountId, scac, requestType, number }
  return {
    requestType,
    open: async (db) => {
      const credential = await findCredential(db, { ...key, isSandbox })
      const line = findShippingLine(scac)
      if (line !== null) await requireEnabled(db, context.account, line)
      const { channelId, isPushed } = await findLineChannel(db, context, key, credential)
      const live = await findLiveRequest(db, key)
      if (live !== null) throw duplicateNumberError(number, live)
      await lockDetectingRequest(db, key)
      const now = journeyNow(service, isSandbox)
      const pollTargetId = await ensurePollTarget(db, {
        id: uuidV7(service.clock.now()),
        credentialId: channelId,
        scac,
        kind: kindOfType[requestType],
        number,
        createdAt: now,
        dueAt: isPushed ? null : realNow(service),
        accountId,
      })
      return {
        now,
        subjectId: pollTargetId,
        target: { number, scac, ...(isPushed && { isToldOf: isPushed }) },
      }
    },
  }
}

/**
 * Returns the access by which the line is polled; where it cannot be polled, the channel by which it sends: then
 * `isToldOf`, and the request waits for what the line sends. Refuses where there is neither.
 */
async function findLineChannel(
  db: Db,
  { account }: Context,
  { scac, requestType }: { readonly scac: string; readonly requestType: RequestType },
  credential: Pick<Credential, 'id' | 'source' | 'profile'> | null,
): Promise<{ readonly channelId: string; readonly isPushed: boolean }> {
  if (credential !== null && canPollBy(credential, requestType)) return { channelId: credential.id, isPushed: false }
  const kind = kindOfType[requestType]
  const of = { accountId: account.id, isSandbox: account.isSandbox, scac, kind }
  const channelId = await findPushAccess(db, of)
  if (channelId !== null) return { channelId, isPushed: true }
  if (credential === null) throw carrierNotConfiguredError(scac)
  throw unsupportedKind(findShippingLine(scac)?.name ?? scac, scac, requestType)
}

/** How many places on either side are read: more than the numbers of one bill. */
const neighboursReach = 50

/** The lines that may have the number are polled in the background, one after the other. */
async function targetOfSearch(
  service: Service,
  context: Context,
  input: LineDetectionInput,
  options: CreationOptions,
): Promise<PollTarget> {
  if (!isInAscii(input.requestNumber)) throw invalidNumber('reference number', 'not_in_ascii')
  const { id: accountId, isSandbox } = context.account
  const listed =
    options.listed === undefined
      ? []
      : await readNeighbours(service.pool, { accountId, ...options.listed, reach: neighboursReach })
  const inference = await predictLine(service, context.account, input.requestNumber, listed)
  if (inference === null) throw invalidNumber('reference number', 'wrong_characters')
  const requestType = input.requestType ?? requestTypeOf(inference)
  const number = checkNumber({ ...input, requestType }, null)
  const isEnabled = await createEnabledCheck(service.pool, context.account)
  const lines = orderCandidateLines(inference).filter((line) => canTrackBy(line, requestType) && isEnabled(line))
  return {
    requestType,
    open: async (db) => {
      const detecting = await lockDetectingRequest(db, { accountId, requestType, number })
      if (detecting !== null) throw duplicateNumberError(number, detecting)
      const now = journeyNow(service, isSandbox)
      const search = { accountId, isSandbox, kind: kindOfType[requestType], number, now }
      const { candidates, rules } = await openLineSearch(db, service, lines, search)
      const [first] = candidates
      return {
        now,
        subjectId: first?.subjectId ?? null,
        target: { number: first?.number ?? number, scac: null, candidates, search: rules },
      }
    },
  }
}

async function appendRequestCreated(
  db: Db,
  service: Service,
  request: {
    readonly accountId: string
    readonly id: string
    readonly subjectId: string | null
    readonly now: string
    readonly payload: RequestCreated
  },
): Promise<void> {
  const { accountId, id, subjectId: pollTargetId, now, payload } = request
  const { scac } = payload
  const numbers = scac === null ? [] : [{ ...payload, scac }]
  const of = { locksAllRequests: false, isProjected: false, numbers }
  const keys = { accountId, requestIds: [id], shipmentIds: [], ...of }
  const fold = foldBy(readRules(service.config))
  await commitEntries(db, fold, { keys, now, entriesMax: 1, metrics: service.metrics }, (ledger) => {
    const draft = {
      kind: 'request_created',
      trackingRequestId: id,
      subjectId: pollTargetId,
      payload,
    } as const
    ledger.take(draft, (state, entry) => {
      const folded = foldRequestCreated(state, entry)
      if (folded !== null) return { folded }
      const live = scac === null ? null : findLiveInState(state, { ...payload, scac })
      throw duplicateNumberError(payload.number, live?.id ?? null)
    })
  })
}

/** Returns the line's own SCAC, and the number in the spelling in which the line is polled. */
function checkInput(input: TrackingRequestInput): { readonly scac: string; readonly number: string } {
  if (input.scac.trim().toUpperCase() === testScac) {
    return { scac: testScac, number: checkNumber(input, null) }
  }
  const named = findNamedLine(input.scac)
  if (named.kind !== 'line') {
    const detail =
      named.kind === 'several'
        ? named.detail
        : `No shipping line with the SCAC or name ${input.scac.slice(0, 40)} can be tracked.`
    throw new ServiceError('unknown_scac', detail, { source: { pointer: '/data/attributes/scac' } })
  }
  const { line } = named
  const number = checkNumber(input, line)
  if (!canTrackBy(line, input.requestType)) {
    throw unsupportedKind(line.name, line.scac, input.requestType)
  }
  return { scac: line.scac, number }
}

/** `requestId`: the account's request that tracks the number; null when that request has ended at this very moment. */
function duplicateNumberError(number: string, requestId: string | null): ServiceError {
  return new ServiceError('duplicate', `${number} is being tracked already.`, {
    source: { pointer: '/data/attributes/request_number' },
    ...(requestId === null ? {} : { meta: { tracking_request_id: requestId } }),
  })
}
