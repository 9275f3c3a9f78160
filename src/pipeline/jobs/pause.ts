/**
 * A restored copy is paused: its API serves and ingests, but it sends nothing by itself (no polls of carriers, no
 * mails, deliveries, alerts or daily roots) until the operator resumes it. So it cannot repeat what the original does,
 * which may still be running.
 */

import { deleteSetting, readSetting } from '../../db/settings.ts'
import type { Service } from '../../modules/service.ts'

export interface Pause {
  readonly because: 'restored'
  readonly since: string
  /** The moment as of which the backup was. */
  readonly backupAt: string
}

export const pauseSetting = 'paused'

/** Null when it works. */
export function readPause({ pool }: Pick<Service, 'pool'>): Promise<Pause | null> {
  return readSetting<Pause>(pool, pauseSetting)
}

/** Returns the pause that ended; null when there was none. Running workers notice within seconds. */
export async function resumeWork(service: Pick<Service, 'pool'>): Promise<Pause | null> {
  const pause = await readPause(service)
  await deleteSetting(service.pool, pauseSetting)
  return pause
}
