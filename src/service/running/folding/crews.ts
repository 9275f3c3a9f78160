/**
 * The crews that fold: they let requests hear what came, fire timers that are due, and do the work that an upgrade
 * leaves.
 */

import { noteOldCodes, rereadCodes } from '../../hearing/codes/reread-codes.ts'
import { sealOld } from '../../hearing/intake/seal-old.ts'
import { fireTimers } from '../../hearing/looking/fire-timers.ts'
import { workTasks } from '../../hearing/looking/work-tasks.ts'
import { foldBy } from '../../ledger/fold.ts'
import { mendHistory } from '../../ledger/mend-history.ts'
import { readRules } from '../../ledger/rules.ts'
import type { Service } from '../../service.ts'
import { labelOld } from '../../tracking/label-old.ts'
import { type Crew, resting, stepping } from '../run-crews.ts'

/** Folds what is due now: `hands` sets of tasks at the same time. */
export function foldingCrews(service: Service, hands: number): readonly Crew[] {
  const fold = foldBy(readRules(service.config))
  return [
    { queue: 'tasks', topic: 'tasks', pollMs: 500, hands, take: (free) => workTasks(service, fold, free) },
    { queue: 'codes', pollMs: 500, ...stepping(() => rereadCodes(service, fold)) },
    { queue: 'timers', pollMs: 500, ...stepping(() => fireTimers(service, fold, 100)) },
  ]
}

/**
 * The work that an upgrade leaves. The pause after a piece is part of the job, so the next piece begins after the
 * pause.
 */
export function mendingCrews(service: Service): readonly Crew[] {
  const fold = foldBy(readRules(service.config))
  const take = async (): Promise<readonly Promise<void>[]> => {
    const mended = await mendHistory(service, fold)
    return mended === null ? [] : [mended.rest]
  }
  return [
    { pollMs: 60_000, hands: 1, take },
    { pollMs: 60_000, ...resting(() => sealOld(service)) },
    { pollMs: 60_000, ...resting(() => noteOldCodes(service, fold)) },
    { pollMs: 60_000, ...resting(() => labelOld(service)) },
  ]
}
