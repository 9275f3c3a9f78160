/**
 * Work that nobody should wait for and whose length should tell nobody anything: a line in the audit log
 * about a password that was wrong. It runs in this process; one that ends before it has loses it.
 */

import type { Service } from '../service.ts'
import { keptBeside } from './kept-beside.ts'

const underWay = keptBeside<Service, Set<Promise<void>>>(() => new Set())

export function afterAnswer(service: Service, job: string, work: () => Promise<unknown>): void {
  const jobs = underWay(service)
  const running = work().then(
    () => {},
    (error: unknown) => service.metrics.jobFailed({ job, error }),
  )
  jobs.add(running)
  void running.finally(() => jobs.delete(running))
}

/** Waits for what is under way: before the database is closed, and in tests. */
export async function settle(service: Service): Promise<void> {
  const jobs = underWay(service)
  while (jobs.size > 0) await Promise.all(jobs)
}
