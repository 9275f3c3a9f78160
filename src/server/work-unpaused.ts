/** Starts the workers of a process: at once, or when the pause of a restored copy has ended. */

import { setTimeout as pause } from 'node:timers/promises'
import type { Service } from '../modules/service.ts'
import { readPause } from '../pipeline/jobs/pause.ts'
import type { Workers } from './workers.ts'

/** Resolves when it is known whether the workers have to wait. */
export async function startWhenUnpaused(
  service: Service,
  start: () => Workers,
  checkEveryMs = 1_000,
): Promise<Workers> {
  const paused = await readPause(service)
  if (paused === null) return start()
  service.log.warn('server.paused', { ...paused })
  const stopping = new AbortController()
  const { signal } = stopping
  const started = (async (): Promise<Workers | null> => {
    while (!signal.aborted) {
      await pause(checkEveryMs, undefined, { signal }).catch(() => {})
      const isOver = await readPause(service).then(
        (now) => now === null,
        (error: unknown) => {
          service.log.warn('database.unreachable', { error })
          return false
        },
      )
      if (!isOver || signal.aborted) continue
      service.log.info('server.resumed')
      return start()
    }
    return null
  })()
  return {
    stop: async () => {
      stopping.abort()
      await (await started)?.stop()
    },
  }
}
