/** Whether this process can do its work: the database answers, and has every migration that this code knows. */

import { readSchemaState } from '../../store/read/schema-state.ts'
import type { Service } from '../service.ts'

/** Waits two seconds at most: who asks wants to know now. */
const patienceMs = 2_000

export async function isReady(
  service: Service,
): Promise<{ readonly database: boolean; readonly migrations: boolean }> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, patienceMs, null)
  })
  try {
    const state = await Promise.race([readSchemaState(service.pool), late])
    return state === null
      ? { database: false, migrations: false }
      : { database: true, migrations: state.missing.length === 0 }
  } catch (error) {
    service.log.warn('database.unreachable', { error })
    return { database: false, migrations: false }
  } finally {
    clearTimeout(timer)
  }
}
