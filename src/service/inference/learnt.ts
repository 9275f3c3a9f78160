/**
 * What this process has learnt so far: for each account its own evidence and its confirmed numbers, and the common
 * evidence of the accounts that share. New outcomes of all processes are read in the background, so that no request
 * waits for them.
 */

import { setTimeout as pause } from 'node:timers/promises'
import { carrierIndex } from '../../inference/carriers.ts'
import { createEvidence, type Evidence, learn, type Outcome } from '../../inference/evidence.ts'
import { type Model, openModel } from '../../inference/model.ts'
import { onBehalfOfNobody } from '../../store/account-share.ts'
import { hasCompanions } from '../../store/inference/companions.ts'
import {
  countUnlearnt,
  readOutcomes,
  readOutcomesOfAccount,
  type TaughtOutcome,
} from '../../store/inference/outcomes.ts'
import { readNodeRecords, readNodeRecordsOfAccount } from '../../store/inference/predictions.ts'
import type { Account } from '../context.ts'
import { keptBeside } from '../ground/kept-beside.ts'
import { journeyNow, type Service } from '../service.ts'
import { casesMin, demotedOf, isDemotedBy, watchedDays } from './drift-watch.ts'
import { createSharedEvidence, opposite, type SharedEvidence } from './shared-evidence.ts'

/** What predictions for one account are based on at this moment. */
export interface Learnt {
  readonly model: Model
  /** The line that had this very number within the last `rememberedDays`; null when no line had it for the account. */
  readonly remembered: (number: string, now: string) => string | null
  readonly isDemoted: (nodes: readonly string[], scac: string) => boolean
  /** Whether messages named boxes under bills whose line is not known. */
  readonly hasCompanions: boolean
}

/** A box whose line was confirmed longer ago may be with another line now. */
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

interface World {
  readonly shared: SharedEvidence
  demoted: ReadonlySet<string>
}

interface Student {
  readonly isFiction: boolean
  readonly own: Evidence
  readonly confirmed: Map<string, { readonly scac: string; readonly at: string }>
  /** Outcomes up to this number are included. */
  upTo: number
  demoted: ReadonlySet<string>
  hasCompanions: boolean
  model: Model | null
}

interface Memory {
  unlearnt: number
  /** Outcomes up to this number are included in the worlds. */
  position: number
  worlds: { readonly real: World; readonly fiction: World }
  readonly students: Map<string, Student>
  /** All existing outcomes have been read once. */
  isRead: boolean
  readAt: number
  watchedAt: number
  reading: Promise<void> | null
}

const memoryOf = keptBeside<Service, Memory>(() => {
  const students = new Map<string, Student>()
  return {
    unlearnt: 0,
    position: 0,
    worlds: newWorlds(students),
    students,
    isRead: false,
    readAt: Number.NEGATIVE_INFINITY,
    watchedAt: Number.NEGATIVE_INFINITY,
    reading: null,
  }
})

export async function learntFor(service: Service, account: Account): Promise<Learnt> {
  const memory = memoryOf(service)
  const ageMs = service.clock.now() - memory.readAt
  if (ageMs > freshMs) {
    const reading = renew(service, memory)
    if (ageMs > staleMs) await Promise.race([reading, pause(patienceMs, undefined, { ref: false })])
  }
  // At a start with very many outcomes to read: until they are read, the shipped model is used.
  if (!memory.isRead)
    return { model: openModel(), remembered: () => null, isDemoted: () => false, hasCompanions: false }
  const student = memory.students.get(account.id) ?? (await enrol(service, memory, account))
  const world = worldOf(memory, account.isFiction)
  student.model ??= openModel({ shared: world.shared.evidence, own: student.own })
  return {
    model: student.model,
    remembered: (number, now) => {
      const found = student.confirmed.get(number)
      const isLate = found !== undefined && Date.parse(now) - Date.parse(found.at) > rememberedDays * dayMs
      return found === undefined || isLate ? null : found.scac
    },
    isDemoted: (nodes, scac) =>
      isDemotedBy(world.demoted, nodes, scac) || isDemotedBy(student.demoted, nodes, scac),
    hasCompanions: student.hasCompanions,
  }
}

/** Reads at once all outcomes that have a number by now. */
export async function renewLearnt(service: Service): Promise<void> {
  const memory = memoryOf(service)
  memory.watchedAt = Number.NEGATIVE_INFINITY
  await memory.reading
  await renew(service, memory)
}

function newWorlds(students: ReadonlyMap<string, Student>): Memory['worlds'] {
  // An outcome that the shared evidence counts is taken out of the account's own evidence, so that it does not count
  // twice.
  const world = (): World => ({
    shared: createSharedEvidence((outcome, from, to) => {
      const student = students.get(outcome.accountId)
      if (student === undefined) return
      if (from !== null) learnAside(student.own, { ...outcome, node: from })
      learnAside(student.own, opposite(outcome, to))
    }),
    demoted: new Set(),
  })
  return { real: world(), fiction: world() }
}

function worldOf({ worlds }: Memory, isFiction: boolean): World {
  return isFiction ? worlds.fiction : worlds.real
}

/**
 * Only one runs at a time, and a caller that comes meanwhile waits for it. When the database is unreachable, nothing
 * changes.
 */
function renew(service: Service, memory: Memory): Promise<void> {
  memory.reading ??= onBehalfOfNobody(() => read(service, memory))
    .catch((error: unknown) => service.log.warn('database.unreachable', { error }))
    .finally(() => {
      memory.reading = null
      memory.readAt = service.clock.now()
    })
  return memory.reading
}

async function read(service: Service, memory: Memory): Promise<void> {
  const unlearnt = await countUnlearnt(service.pool)
  if (unlearnt !== memory.unlearnt) {
    memory.unlearnt = unlearnt
    memory.position = 0
    memory.students.clear()
    memory.worlds = newWorlds(memory.students)
    memory.watchedAt = Number.NEGATIVE_INFINITY
  }
  for (;;) {
    const page = await readOutcomes(service.pool, { after: memory.position, limit: pageSize })
    for (const outcome of page) take(memory, outcome)
    if (page.length < pageSize) break
  }
  memory.isRead = true
  if (service.clock.now() - memory.watchedAt < watchMs) return
  memory.watchedAt = service.clock.now()
  const records = await readNodeRecords(service.pool, { casesMin, ...watchedSince(service) })
  memory.worlds.real.demoted = demotedOf(records.filter(({ isFiction }) => !isFiction))
  memory.worlds.fiction.demoted = demotedOf(records.filter(({ isFiction }) => isFiction))
  for (const [accountId, student] of memory.students) await watch(service, accountId, student)
}

function watchedSince(service: Service): { readonly since: string; readonly fictionSince: string } {
  const before = (isFiction: boolean): string =>
    new Date(Date.parse(journeyNow(service, isFiction)) - watchedDays * dayMs).toISOString()
  return { since: before(false), fictionSince: before(true) }
}

/** Runs once a minute: the watch over the account's own outcomes. It also works for an account that does not share. */
async function watch(service: Service, accountId: string, student: Student): Promise<void> {
  const bounds = watchedSince(service)
  const since = student.isFiction ? bounds.fictionSince : bounds.since
  student.demoted = demotedOf(await readNodeRecordsOfAccount(service.pool, { accountId, casesMin, since }))
  student.hasCompanions = await hasCompanions(service.pool, accountId)
}

function take(memory: Memory, outcome: TaughtOutcome): void {
  memory.position = outcome.sequence
  const student = memory.students.get(outcome.accountId)
  if (student !== undefined && outcome.sequence > student.upTo) teach(student, outcome)
  if (outcome.isShared) worldOf(memory, outcome.isFiction).shared.add(outcome)
}

function teach(student: Student, outcome: TaughtOutcome): void {
  const { number, scac, confirmedAt } = outcome
  // A terminal handles boxes of all lines. These are not the lines that the account ships with.
  if (outcome.source === 'seen') learnAside(student.own, outcome)
  else learn(student.own, outcome)
  student.upTo = outcome.sequence
  student.model = null
  if (outcome.weight <= 0) return
  const known = student.confirmed.get(number)
  if (known === undefined || known.at <= confirmedAt) student.confirmed.set(number, { scac, at: confirmedAt })
}

/** Reads what the account taught. What the shared evidence counts of it already is taken out of the account's own. */
async function enrol(service: Service, memory: Memory, account: Account): Promise<Student> {
  const student: Student = {
    isFiction: account.isFiction,
    own: createEvidence(),
    confirmed: new Map(),
    upTo: 0,
    demoted: new Set(),
    hasCompanions: false,
    model: null,
  }
  await watch(service, account.id, student)
  let outcomes: readonly TaughtOutcome[]
  let position: number
  let unlearnt: number
  do {
    ;({ position, unlearnt } = memory)
    outcomes = await readOutcomesOfAccount(service.pool, account.id)
    // Outcomes that the worlds took in while this was read may be missing, so it is read again.
  } while (position !== memory.position || unlearnt !== memory.unlearnt)
  // No `await` from here on, so that the worlds cannot change.
  const { shared } = worldOf(memory, account.isFiction)
  for (const outcome of outcomes) {
    teach(student, outcome)
    if (!outcome.isShared || outcome.sequence > memory.position) continue
    const place = shared.placeOf(outcome.node)
    if (place !== null) learnAside(student.own, opposite(outcome, place))
  }
  const oldest = memory.students.size < accountsMax ? undefined : memory.students.keys().next().value
  if (oldest !== undefined) memory.students.delete(oldest)
  memory.students.set(account.id, student)
  return student
}

/** Adds an outcome to the nodes, but not to the mix of the lines that the account ships with. */
function learnAside(own: Evidence, outcome: Outcome): void {
  learn(own, outcome)
  const { mix } = own
  const at = mix.carriers.indexOf(carrierIndex(outcome.scac))
  mix.weights[at] = (mix.weights[at] ?? 0) - outcome.weight
  mix.rows[at] = (mix.rows[at] ?? 0) - (outcome.rows ?? (outcome.weight > 0 ? 1 : 0))
}
