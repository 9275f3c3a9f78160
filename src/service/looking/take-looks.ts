/** Looks: takes subjects that are due, has their lines asked and what they answer kept. */

import { addMs } from '../../core/time.ts'
import { uuidV7 } from '../../platform/ids.ts'
import { inTransaction } from '../../store/database.ts'
import { nextSlotAt, takeSlot } from '../../store/line-slots.ts'
import { leaseDueSubjects, releaseSubjects } from '../../store/subjects.ts'
import type { Rules } from '../ledger/rules.ts'
import { journeyNow, realNow, type Service } from '../service.ts'
import { ask, rateOf } from './ask.ts'
import { keepFault, keepLook, type LookJob } from './keep.ts'

/** Longer than any fetch may take (time-outs and pages included), so that a lease outlives its look. */
const leaseMs = 180_000

/** Takes up to `limit` due subjects, those due longest first, each with its line's leave to be asked now. */
export async function takeLooks(service: Service, limit: number): Promise<readonly LookJob[]> {
  const token = uuidV7(service.clock.now())
  const now = realNow(service)
  return inTransaction(service.pool, async (db) => {
    const due = await leaseDueSubjects(db, { token, now, until: addMs(now, leaseMs), limit })
    const closed = new Set<string>()
    const jobs: LookJob[] = []
    const unasked: string[] = []
    for (const subject of due) {
      const pace = closed.has(subject.credentialId) ? null : rateOf(subject)
      const slot = { credentialId: subject.credentialId, now }
      if (pace !== null && !(await takeSlot(db, { ...slot, ...pace }))) closed.add(subject.credentialId)
      if (closed.has(subject.credentialId)) unasked.push(subject.id)
      else jobs.push({ subject, token })
    }
    await releaseSubjects(db, { subjectIds: unasked, token })
    return jobs
  })
}

/** Milliseconds until a line opens whose subjects wait for its rate limit; null when none waits. */
export async function msUntilSlot(service: Service): Promise<number | null> {
  const at = await nextSlotAt(service.pool, realNow(service))
  return at === null ? null : Math.max(1, Date.parse(at) - service.clock.now())
}

/** Never rejects: what goes wrong is logged, counted and tried again. */
export async function lookAt(service: Service, rules: Rules, job: LookJob): Promise<void> {
  const { subject } = job
  try {
    const startedAt = journeyNow(service, subject.isFiction)
    const result = await ask(service, subject)
    const kept = await keepLook(service, rules, { ...job, startedAt, result })
    tell(service, job, {
      ...kept,
      durationMs: Math.round(result.durationMs),
      askedMs: result.retryAfterMs ?? 0,
    })
  } catch (error) {
    service.metrics.jobFailed({ job: 'look', subject: subject.id, scac: subject.scac, error })
    await keepFault(service, { ...job, error }).catch((cause: unknown) => {
      // The database is gone as well: the lease runs out by itself.
      service.log.warn('database.unreachable', { subject: subject.id, error: cause })
    })
  }
}

function tell(
  { metrics }: Service,
  { subject }: LookJob,
  look: Awaited<ReturnType<typeof keepLook>> & { readonly durationMs: number; readonly askedMs: number },
): void {
  const { scac } = subject
  const fields = { subject: subject.id, durationMs: look.durationMs }
  if (look.succeeded) metrics.lookFinished({ scac, outcome: look.outcome, ...fields })
  else metrics.lookFailed({ scac, reason: look.outcome, ...fields })
  for (const [kind, issues] of Map.groupBy(look.issues, (issue) => issue.kind))
    metrics.issueRaised({ scac, kind, subject: subject.id, times: issues.length })
  const { leftAloneUntil: until, askedMs } = look
  if (until !== null) metrics.lineLeftAlone({ scac, askedMs, until })
}
