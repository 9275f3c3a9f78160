/** Accepts a tracking request: checks what can be checked at once, stores it and makes its number due for a look. */

import { kindOfType, type RequestType } from '../../../core/requests/tracking-request-state.ts'
import { isInAscii, testScac } from '../../../core/values/identifiers.ts'
import { uuidV7 } from '../../../platform/ids.ts'
import { findShippingLine } from '../../../reference/shipping-lines.ts'
import { afterCommit, type Db, inTransaction } from '../../../store/database.ts'
import { handOnTrace } from '../../../store/ground/trace-notices.ts'
import { wake } from '../../../store/ground/wake.ts'
import type { RequestCreated } from '../../../store/ledger/ledger-payload.ts'
import { ensureSubject } from '../../../store/looks/subjects.ts'
import { type Credential, findCredential } from '../../../store/people/accounts.ts'
import { findLiveRequest, lockDetectingRequest } from '../../../store/tracking/live-requests.ts'
import { readNeighbours } from '../../../store/tracking/request-batches.ts'
import { findToldAccess, noteToldRequest } from '../../../store/tracking/told-requests.ts'
import { type Context, requireScope } from '../../context.ts'
import { ServiceError } from '../../errors.ts'
import { predict } from '../../inference/predict.ts'
import { asks, tracks, unsupportedKind } from '../../knowing/shipping-lines/asked-by.ts'
import { enabledFor, requireEnabled } from '../../knowing/shipping-lines/enabled-lines.ts'
import { notConfigured } from '../../knowing/shipping-lines/not-configured.ts'
import { foldBy } from '../../ledger/fold.ts'
import { foldRequestCreated } from '../../ledger/fold-request-created.ts'
import { readRules } from '../../ledger/rules.ts'
import { findLive } from '../../ledger/state-rows.ts'
import { takeAgain } from '../../ledger/take-again.ts'
import { takeEntries } from '../../ledger/take-entries.ts'
import { tidyTexts } from '../../ledger/tidy-texts.ts'
import { journeyNow, realNow, type Service } from '../../service.ts'
import { linesInOrder, openSearch, requestTypeOf } from './candidate-lines.ts'
import { checkNumber, invalidNumber } from './check-number.ts'
import { meantNumber } from './meant-number.ts'
import { checkExtras, type HeardOf, keepExtras, type RequestExtras } from './request-extras.ts'

export interface TrackingRequestInput extends RequestExtras {
  readonly requestType: RequestType
  readonly requestNumber: string
  readonly scac: string
  readonly refNumbers: readonly string[]
  readonly shipmentTags: readonly string[]
}

/** A request whose line must be found, and the kind of its number too if that is null. */
export interface DetectingInput extends Omit<TrackingRequestInput, 'requestType' | 'scac'> {
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
  sent: TrackingRequestInput | DetectingInput,
  making: Making = {},
): Promise<{ readonly id: string }> {
  requireScope(context, 'write')
  const pointer = '/data/attributes/request_number'
  const requestNumber = meantNumber(sent.requestNumber, { isSearch: sent.scac === null, pointer })
  const input = { ...sent, requestNumber }
  // Of two calls at the same moment the unique index lets one through. The second try of the other call then sees that
  // request.
  const work = takeAgain(() =>
    input.scac === null
      ? requestDetection(service, context, input, making)
      : requestOfLine(service, context, input, making),
  )
  return work.catch((error: unknown) => {
    if (error instanceof Rehearsed) return { id: error.id }
    throw error
  })
}

export interface Making {
  /** A new id is made when left out. */
  readonly id?: string
  /** Everything is checked as if it were made, and nothing is written. */
  readonly isRehearsal?: boolean
  /** Its place in the batch that it came in: numbers near it in the batch are evidence for its line. */
  readonly listed?: { readonly batchId: string; readonly place: number }
  /** The message that it is made from, for the audit log. */
  readonly heardOf?: HeardOf
}

/** How many places on either side are read: more than the numbers of one bill. */
const neighboursReach = 50

/** Thrown to roll back a rehearsal. */
class Rehearsed extends Error {
  readonly id: string
  constructor(id: string) {
    super('rehearsed')
    this.id = id
  }
}

async function requestOfLine(
  service: Service,
  context: Context,
  input: TrackingRequestInput,
  making: Making,
): Promise<{ readonly id: string }> {
  const { scac, number } = checkInput(input)
  return inTransaction(service.pool, async (db) => {
    const key = { accountId: context.account.id, scac, requestType: input.requestType, number }
    const credential = await findCredential(db, { ...key, isFiction: context.account.isFiction })
    const line = findShippingLine(scac)
    if (line !== null) await requireEnabled(db, context.account, line)
    const access = await accessOf(db, context, key, credential)
    const { isToldOf } = access
    const live = await findLiveRequest(db, key)
    if (live !== null) throw duplicate(number, live)
    await lockDetectingRequest(db, key)
    const now = journeyNow(service, context.account.isFiction)
    const id = making.id ?? uuidV7(service.clock.now())
    const subjectId = await ensureSubject(db, {
      id: uuidV7(service.clock.now()),
      credentialId: access.channelId,
      scac,
      kind: kindOfType[input.requestType],
      number,
      createdAt: now,
      dueAt: isToldOf ? null : realNow(service),
      accountId: context.account.id,
    })
    const payload: RequestCreated = {
      requestType: input.requestType,
      requestNumber: input.requestNumber,
      number,
      scac,
      ...(isToldOf && { isToldOf }),
      refNumbers: tidyTexts(input.refNumbers),
      shipmentTags: tidyTexts(input.shipmentTags),
      ...(await checkExtras(db, context, input)),
    }
    await record(db, service, { context, id, subjectId, now, payload })
    if (isToldOf) await noteToldRequest(db, { ...key, id, isFiction: context.account.isFiction })
    afterCommit(db, () => service.metrics.trackingRequestCreated({ scac, type: input.requestType }))
    await keepExtras(db, service, context, { id, extras: input, heardOf: making.heardOf })
    if (making.isRehearsal === true) throw new Rehearsed(id)
    await handOnTrace(db, [subjectId])
    await wake(db, 'looks')
    return { id }
  })
}

interface Access {
  readonly channelId: string
  /** True when the line is not asked, and the request waits for what the line sends. */
  readonly isToldOf: boolean
}

/**
 * Returns the access by which the line is asked; where it cannot be asked, the channel by which it sends. Refuses where
 * there is neither.
 */
async function accessOf(
  db: Db,
  { account }: Context,
  { scac, requestType }: { readonly scac: string; readonly requestType: RequestType },
  credential: Pick<Credential, 'id' | 'source' | 'profile'> | null,
): Promise<Access> {
  if (credential !== null && asks(credential, requestType))
    return { channelId: credential.id, isToldOf: false }
  const kind = kindOfType[requestType]
  const of = { accountId: account.id, isFiction: account.isFiction, scac, kind }
  const channelId = await findToldAccess(db, of)
  if (channelId !== null) return { channelId, isToldOf: true }
  if (credential === null) throw notConfigured(scac)
  throw unsupportedKind(findShippingLine(scac)?.name ?? scac, scac, requestType)
}

/** The lines that may have the number are asked in the background, one after the other. */
async function requestDetection(
  service: Service,
  context: Context,
  input: DetectingInput,
  making: Making,
): Promise<{ readonly id: string }> {
  if (!isInAscii(input.requestNumber)) throw invalidNumber('reference number', 'not_in_ascii')
  const { id: accountId, isFiction } = context.account
  const listed =
    making.listed === undefined
      ? []
      : await readNeighbours(service.pool, { accountId, ...making.listed, reach: neighboursReach })
  const inference = await predict(service, context.account, input.requestNumber, listed)
  if (inference === null) throw invalidNumber('reference number', 'wrong_characters')
  const requestType = input.requestType ?? requestTypeOf(inference)
  const number = checkNumber({ ...input, requestType }, null)
  const isEnabled = await enabledFor(service.pool, context.account)
  const lines = linesInOrder(inference).filter((line) => tracks(line, requestType) && isEnabled(line))
  return inTransaction(service.pool, async (db) => {
    const detecting = await lockDetectingRequest(db, { accountId, requestType, number })
    if (detecting !== null) throw duplicate(number, detecting)
    const now = journeyNow(service, isFiction)
    const asked = { accountId, isFiction, kind: kindOfType[requestType], number, now }
    const { candidates, rules } = await openSearch(db, service, lines, asked)
    const id = making.id ?? uuidV7(service.clock.now())
    const payload: RequestCreated = {
      requestType,
      requestNumber: input.requestNumber,
      number: candidates[0]?.number ?? number,
      scac: null,
      candidates,
      search: rules,
      refNumbers: tidyTexts(input.refNumbers),
      shipmentTags: tidyTexts(input.shipmentTags),
      ...(await checkExtras(db, context, input)),
    }
    const subjectId = candidates[0]?.subjectId ?? null
    await record(db, service, { context, id, subjectId, now, payload })
    afterCommit(db, () => service.metrics.trackingRequestCreated({ scac: 'unknown', type: requestType }))
    await keepExtras(db, service, context, { id, extras: input, heardOf: making.heardOf })
    if (making.isRehearsal === true) throw new Rehearsed(id)
    if (subjectId !== null) await handOnTrace(db, [subjectId])
    await wake(db, 'looks')
    return { id }
  })
}

async function record(
  db: Db,
  service: Service,
  request: {
    readonly context: Context
    readonly id: string
    readonly subjectId: string | null
    readonly now: string
    readonly payload: RequestCreated
  },
): Promise<void> {
  const { id, subjectId, now, payload } = request
  const { id: accountId } = request.context.account
  const { scac } = payload
  const numbers = scac === null ? [] : [{ ...payload, scac }]
  const keys = {
    accountId,
    requestIds: [id],
    shipmentIds: [],
    locksAsking: false,
    isProjected: false,
    numbers,
  }
  const fold = foldBy(readRules(service.config))
  await takeEntries(db, fold, { keys, now, entriesMax: 1, metrics: service.metrics }, (ledger) => {
    const draft = { kind: 'request_created', trackingRequestId: id, subjectId, payload } as const
    ledger.take(draft, (state, entry) => {
      const folded = foldRequestCreated(state, entry)
      if (folded === null)
        throw duplicate(
          payload.number,
          scac === null ? null : (findLive(state, { ...payload, scac })?.id ?? null),
        )
      return { folded }
    })
  })
}

/** Returns the line's own SCAC, and the number in the spelling in which the line is asked. */
function checkInput(input: TrackingRequestInput): { readonly scac: string; readonly number: string } {
  if (input.scac.trim().toUpperCase() === testScac) {
    return { scac: testScac, number: checkNumber(input, null) }
  }
  const line = findShippingLine(input.scac)
  if (line === null) {
    throw new ServiceError(
      'unknown_scac',
      `No shipping line with the SCAC ${input.scac.slice(0, 10)} can be tracked.`,
      {
        source: { pointer: '/data/attributes/scac' },
      },
    )
  }
  const number = checkNumber(input, line)
  if (!tracks(line, input.requestType)) {
    throw unsupportedKind(line.name, line.scac, input.requestType)
  }
  return { scac: line.scac, number }
}

/** `requestId`: the account's request that tracks the number; null when that request has ended at this very moment. */
function duplicate(number: string, requestId: string | null): ServiceError {
  return new ServiceError('duplicate', `${number} is being tracked already.`, {
    source: { pointer: '/data/attributes/request_number' },
    ...(requestId === null ? {} : { meta: { tracking_request_id: requestId } }),
  })
}
