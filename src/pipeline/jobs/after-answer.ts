/**
 * Work that runs after the answer, so that nobody waits for it and its length reveals nothing to anybody: for example
 * the line in the audit log about a wrong password. It runs in this process. When a process ends before the work does,
 * the work is lost.
 */

import type { Service } from '../../modules/service.ts'
import { memoizePerOwner } from '../../platform/memoize-per-owner.ts'

const underWay = memoizePerOwner<Service, Set<Promise<void>>>(() => new Set())

export function runAfterAnswer(service: Service, job: string, work: () => Promise<unknown>): void {
  const jobs = underWay(service)
  const running = work().then(
    () => {},
    (error: unknown) => service.metrics.jobFailed({ job, error }),
  )
  jobs.add(running)
  void running.finally(() => jobs.delete(running))
}

/** Waits for the work that still runs: before the database is closed, and in tests. */
export async function drainJobs(service: Service): Promise<void> {
  const jobs = underWay(service)
  while (jobs.size > 0) await Promise.all(jobs)
}
