/**
 * What this process has learnt so far: for each account its own evidence and its confirmed numbers, and the common
 * evidence of the accounts that share. New outcomes of all processes are read in the background, so that no request
 * waits for them.
 */

import { setTimeout as pause } from 'node:timers/promises'
import { onBehalfOfNobody } from '../../db/account-shares.ts'
import { carrierIndex } from '../../inference/carriers.ts'
import { createEvidence, type Evidence, learnOutcome, type Outcome } from '../../inference/evidence.ts'
import { type Model, openModel } from '../../inference/model.ts'
import { memoizePerOwner } from '../../platform/memoize-per-owner.ts'
import type { Account } from '../access/context.ts'
import { journeyNow, type Service } from '../service.ts'
import { hasCompanions } from './companions-sql.ts'
import { casesMin, findDemotedNodes, isDemotedBy, watchedDays } from './drift-watch.ts'
import { countWithdrawals, readOutcomes, readOutcomesOfAccount, type TaughtOutcome } from './outcomes-sql.ts'
import { readNodeRecords, readNodeRecordsOfAccount } from './predictions-sql.ts'
import { createSharedEvidence, negateOutcome, type SharedEvidence } from './shared-evidence.ts'

/** What predictions for one account are based on at this moment. */
export interface PredictionBasis {
  readonly model: Model
  /** The line that had this very number within the last `rememberedDays`; null when no line had it for the account. */
  readonly remembered: (number: string, now: string) => string | null
  readonly isDemoted: (nodes: readonly string[], scac: string) => boolean
  /** Whether messages named containers under bills whose line is not known. */
  readonly hasCompanions: boolean
}

/** A container whose line was confirmed longer ago may be with another line now. */
const rememberedDays = 120
/**
 * Data older than `freshMs` is read again in the background. A request waits for it when the data is older than
 * `staleMs`.
 */
const freshMs = 1_000
const staleMs = 5_000
const patienceMs = 2_000
const watchMs = 60_000
const pageSize = 5_000
const accountsMax = 500
const dayMs = 86_400_000

interface EvidencePool {
  readonly shared: SharedEvidence
  demoted: ReadonlySet<string>
}

interface AccountEvidence {
  readonly isSandbox: boolean
  readonly ownEvidence: Evidence
  readonly confirmed: Map<string, { readonly scac: string; readonly at: string }>
  /** Outcomes up to this number are included. */
  upTo: number
  demoted: ReadonlySet<string>
  hasCompanions: boolean
  model: Model | null
}

interface LearnedMemory {
  unlearnt: number
  /** Outcomes up to this number are included in the pools of evidence. */
  position: number
  evidencePools: { readonly real: EvidencePool; readonly sandbox: EvidencePool }
  readonly tenants: Map<string, AccountEvidence>
  /** All existing outcomes have been read once. */
  isRead: boolean
  readAt: number
  watchedAt: number
  reading: Promise<void> | null
}

const memoryOf = memoizePerOwner<Service, LearnedMemory>(() => {
  const tenants = new Map<string, AccountEvidence>()
  return {
    unlearnt: 0,
    position: 0,
    evidencePools: createEvidencePools(tenants),
    tenants,
    isRead: false,
    readAt: Number.NEGATIVE_INFINITY,
    watchedAt: Number.NEGATIVE_INFINITY,
    reading: null,
  }
})

export async function getPredictionBasis(service: Service, account: Account): Promise<PredictionBasis> {
  const memory = memoryOf(service)
  const ageMs = service.clock.now() - memory.readAt
  if (ageMs > freshMs) {
    const reading = refreshMemory(service, memory)
    if (ageMs > staleMs) await Promise.race([reading, pause(patienceMs, undefined, { ref: false })])
  }
  // At a start with very many outcomes to read: until they are read, the shipped model is used.
  if (!memory.isRead)
    return { model: openModel(), remembered: () => null, isDemoted: () => false, hasCompanions: false }
  const tenant = memory.tenants.get(account.id) ?? (await loadTenant(service, memory, account))
  const evidencePool = evidencePoolOf(memory, account.isSandbox)
  tenant.model ??= openModel({ shared: evidencePool.shared.evidence, ownEvidence: tenant.ownEvidence })
  return {
    model: tenant.model,
    remembered: (number, now) => {
      const found = tenant.confirmed.get(number)
      const isLate = found !== undefined && Date.parse(now) - Date.parse(found.at) > rememberedDays * dayMs
      return found === undefined || isLate ? null : found.scac
    },
    isDemoted: (nodes, scac) =>
      isDemotedBy(evidencePool.demoted, nodes, scac) || isDemotedBy(tenant.demoted, nodes, scac),
    hasCompanions: tenant.hasCompanions,
  }
}

/** Reads at once all outcomes that have a number by now. */
export async function refreshPredictionBasis(service: Service): Promise<void> {
  const memory = memoryOf(service)
  memory.watchedAt = Number.NEGATIVE_INFINITY
  await memory.reading
  await refreshMemory(service, memory)
}

function createEvidencePools(tenants: ReadonlyMap<string, AccountEvidence>): LearnedMemory['evidencePools'] {
  // An outcome that the shared evidence counts is taken out of the account's own evidence, so that it does not count
  // twice.
  const createPool = (): EvidencePool => ({
    shared: createSharedEvidence((outcome, from, to) => {
      const tenant = tenants.get(outcome.accountId)
      if (tenant === undefined) return
      if (from !== null) learnWithoutMix(tenant.ownEvidence, { ...outcome, node: from })
      learnWithoutMix(tenant.ownEvidence, negateOutcome(outcome, to))
    }),
    demoted: new Set(),
  })
  return { real: createPool(), sandbox: createPool() }
}

function evidencePoolOf({ evidencePools }: LearnedMemory, isSandbox: boolean): EvidencePool {
  return isSandbox ? evidencePools.sandbox : evidencePools.real
}

/**
 * Only one runs at a time, and a caller that comes meanwhile waits for it. When the database is unreachable, nothing
 * changes.
 */
function refreshMemory(service: Service, memory: LearnedMemory): Promise<void> {
  memory.reading ??= onBehalfOfNobody(() => readNewOutcomes(service, memory))
    .catch((error: unknown) => service.log.warn('database.unreachable', { error }))
    .finally(() => {
      memory.reading = null
      memory.readAt = service.clock.now()
    })
  return memory.reading
}

async function readNewOutcomes(service: Service, memory: LearnedMemory): Promise<void> {
  const unlearnt = await countWithdrawals(service.pool)
  if (unlearnt !== memory.unlearnt) {
    memory.unlearnt = unlearnt
    memory.position = 0
    memory.tenants.clear()
    memory.evidencePools = createEvidencePools(memory.tenants)
    memory.watchedAt = Number.NEGATIVE_INFINITY
  }
  for (;;) {
    const page = await readOutcomes(service.pool, { after: memory.position, limit: pageSize })
    for (const outcome of page) acceptOutcome(memory, outcome)
    if (page.length < pageSize) break
  }
  memory.isRead = true
  if (service.clock.now() - memory.watchedAt < watchMs) return
  memory.watchedAt = service.clock.now()
  const records = await readNodeRecords(service.pool, { casesMin, ...watchedSince(service) })
  memory.evidencePools.real.demoted = findDemotedNodes(records.filter(({ isSandbox }) => !isSandbox))
  memory.evidencePools.sandbox.demoted = findDemotedNodes(records.filter(({ isSandbox }) => isSandbox))
  for (const [accountId, tenant] of memory.tenants) await updateDemotions(service, accountId, tenant)
}

function watchedSince(service: Service): { readonly since: string; readonly sandboxSince: string } {
  const before = (isSandbox: boolean): string =>
    new Date(Date.parse(journeyNow(service, isSandbox)) - watchedDays * dayMs).toISOString()
  return { since: before(false), sandboxSince: before(true) }
}

/** Runs once a minute: the watch over the account's own outcomes. It also works for an account that does not share. */
async function updateDemotions(service: Service, accountId: string, tenant: AccountEvidence): Promise<void> {
  const bounds = watchedSince(service)
  const since = tenant.isSandbox ? bounds.sandboxSince : bounds.since
  tenant.demoted = findDemotedNodes(await readNodeRecordsOfAccount(service.pool, { accountId, casesMin, since }))
  tenant.hasCompanions = await hasCompanions(service.pool, accountId)
}

function acceptOutcome(memory: LearnedMemory, outcome: TaughtOutcome): void {
  memory.position = outcome.sequence
  const tenant = memory.tenants.get(outcome.accountId)
  if (tenant !== undefined && outcome.sequence > tenant.upTo) applyToTenant(tenant, outcome)
  if (outcome.isShared) evidencePoolOf(memory, outcome.isSandbox).shared.add(outcome)
}

function applyToTenant(tenant: AccountEvidence, outcome: TaughtOutcome): void {
  const { number, scac, confirmedAt } = outcome
  // A terminal handles containers of all lines. These are not the lines that the account ships with.
  if (outcome.source === 'seen') learnWithoutMix(tenant.ownEvidence, outcome)
  else learnOutcome(tenant.ownEvidence, outcome)
  tenant.upTo = outcome.sequence
  tenant.model = null
  if (outcome.weight <= 0) return
  const known = tenant.confirmed.get(number)
  if (known === undefined || known.at <= confirmedAt) tenant.confirmed.set(number, { scac, at: confirmedAt })
}

/**
 * Reads the outcomes of the account. An outcome that the shared evidence counts already is removed from the account's
 * own evidence.
 */
async function loadTenant(service: Service, memory: LearnedMemory, account: Account): Promise<AccountEvidence> {
  const tenant: AccountEvidence = {
    isSandbox: account.isSandbox,
    ownEvidence: createEvidence(),
    confirmed: new Map(),
    upTo: 0,
    demoted: new Set(),
    hasCompanions: false,
    model: null,
  }
  await updateDemotions(service, account.id, tenant)
  let outcomes: readonly TaughtOutcome[]
  let position: number
  let unlearnt: number
  do {
    ;({ position, unlearnt } = memory)
    outcomes = await readOutcomesOfAccount(service.pool, account.id)
    // Outcomes that the pools of evidence included while this was read may be missing, so it is read again.
  } while (position !== memory.position || unlearnt !== memory.unlearnt)
  // No `await` from here on, so that the pools of evidence cannot change.
  const { shared } = evidencePoolOf(memory, account.isSandbox)
  for (const outcome of outcomes) {
    applyToTenant(tenant, outcome)
    if (!outcome.isShared || outcome.sequence > memory.position) continue
    const place = shared.placeOf(outcome.node)
    if (place !== null) learnWithoutMix(tenant.ownEvidence, negateOutcome(outcome, place))
  }
  const oldest = memory.tenants.size < accountsMax ? undefined : memory.tenants.keys().next().value
  if (oldest !== undefined) memory.tenants.delete(oldest)
  memory.tenants.set(account.id, tenant)
  return tenant
}

/** Adds an outcome to the nodes, but not to the mix of the lines that the account ships with. */
function learnWithoutMix(ownEvidence: Evidence, outcome: Outcome): void {
  learnOutcome(ownEvidence, outcome)
  const { mix } = ownEvidence
  const at = mix.carriers.indexOf(carrierIndex(outcome.scac))
  mix.weights[at] = (mix.weights[at] ?? 0) - outcome.weight
  mix.rows[at] = (mix.rows[at] ?? 0) - (outcome.rows ?? (outcome.weight > 0 ? 1 : 0))
}
