/**
 * A restored copy is paused: its API serves and takes in, but nothing leaves it by itself (no questions to carriers, no
 * mails, deliveries, alerts or daily roots) until the operator lets it go on. So it cannot do what the original, which
 * may still be at work, does too.
 */

import { deleteSetting, readSetting } from '../../../store/people/accounts.ts'
import type { Service } from '../../service.ts'

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
export async function resume(service: Pick<Service, 'pool'>): Promise<Pause | null> {
  const pause = await readPause(service)
  await deleteSetting(service.pool, pauseSetting)
  return pause
}
