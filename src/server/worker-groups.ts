/**
 * The worker groups that poll and fold: they poll lines, ingest the answers for requests, fire timers that are due, and
 * do the work that an upgrade leaves.
 */

import type { Service } from '../modules/service.ts'
import { encryptOldMessages } from '../pipeline/ingestion/encrypt-old-messages.ts'
import { noteOldCodes, rereadCodes } from '../pipeline/ingestion/reread-codes.ts'
import { toBackgroundWorker, toSteppingWorker, type WorkerGroup } from '../pipeline/jobs/run-worker-groups.ts'
import { foldBy } from '../pipeline/ledger/fold.ts'
import { repairHistory } from '../pipeline/ledger/repair-history.ts'
import { readRules } from '../pipeline/ledger/rules.ts'
import { msUntilDuePoll, pollCarrier, takeDuePolls } from '../pipeline/polling/due-polls.ts'
import { fireTimers } from '../pipeline/polling/fire-timers.ts'
import { workTasks } from '../pipeline/polling/work-tasks.ts'
import { labelOldRows } from '../pipeline/projection/label-old.ts'

/**
 * In the same process as the folding worker groups, because the bytes of an answer are read once where both have the
 * same memory.
 */
export function createPollingGroup(service: Service, concurrency: number): WorkerGroup {
  const rules = readRules(service.config)
  return {
    queue: 'looks',
    topic: 'looks',
    pollMs: 500,
    concurrency: concurrency * 2,
    take: async (free) => (await takeDuePolls(service, free)).map((job) => pollCarrier(service, rules, job)),
    nextMs: () => msUntilDuePoll(service),
  }
}

/** Folds what is due now: `concurrency` sets of tasks at the same time. */
export function createFoldingGroups(service: Service, concurrency: number): readonly WorkerGroup[] {
  const fold = foldBy(readRules(service.config))
  return [
    {
      queue: 'tasks',
      topic: 'tasks',
      pollMs: 500,
      concurrency,
      take: (free) => workTasks(service, fold, free),
    },
    { queue: 'codes', pollMs: 500, ...toSteppingWorker(() => rereadCodes(service, fold)) },
    { queue: 'timers', pollMs: 500, ...toSteppingWorker(() => fireTimers(service, fold, 100)) },
  ]
}

/**
 * The work that an upgrade leaves. The pause after a piece is part of the job, so the next piece begins after the
 * pause.
 */
export function createRepairGroups(service: Service): readonly WorkerGroup[] {
  const fold = foldBy(readRules(service.config))
  const repairNext = async (): Promise<readonly Promise<void>[]> => {
    const repaired = await repairHistory(service, fold)
    return repaired === null ? [] : [repaired.cooldown]
  }
  return [
    { pollMs: 60_000, concurrency: 1, take: repairNext },
    { pollMs: 60_000, ...toBackgroundWorker(() => encryptOldMessages(service)) },
    { pollMs: 60_000, ...toBackgroundWorker(() => noteOldCodes(service, fold)) },
    { pollMs: 60_000, ...toBackgroundWorker(() => labelOldRows(service)) },
  ]
}
