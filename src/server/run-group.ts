/** The processes of one installation on one machine: those that answer requests, and one for the background work. */

import { availableParallelism } from 'node:os'
import type { DestinationStream } from 'pino'
import type { Config } from '../platform/config.ts'
import { createLog } from '../platform/log.ts'
import { type ProcessGroup, type Slot, startGroup } from '../platform/process-group.ts'
import { hasSiblings } from '../platform/siblings.ts'
import { refuseOccupiedPorts } from './occupied-ports.ts'

/** How many processes answer requests. One is no group: it needs no parent. */
function apiProcesses({ server }: Config): number {
  if (server.role === 'worker' || hasSiblings) return 1
  return server.apiProcesses === 'auto' ? availableParallelism() : server.apiProcesses
}

export function needsGroup(config: Config): boolean {
  return apiProcesses(config) > 1
}

/** A process needs two connections: one may wait for a lock that the other holds. */
const poolMin = 2

/**
 * Starts them, and rejects with the reason when one does not start. The connections of the pool are divided among them
 * and one more: while one is replaced, there are two of it.
 */
export async function runGroup(
  config: Config,
  options: {
    readonly logTo: DestinationStream
    readonly print: (text: string) => void
    readonly isStopping: () => boolean
  },
): Promise<ProcessGroup> {
  const slots = slotsOf(config)
  await refuseOccupiedPorts(config)
  const log = createLog({ level: config.server.logLevel, destination: options.logTo, process: 'parent' })
  const group = await startGroup({
    slots,
    log,
    logLine: (line) => options.logTo.write(line),
    print: options.print,
    isStopping: options.isStopping,
  })
  log.info('processes.started', { names: slots.map(({ name }) => name) })
  return group
}

function slotsOf(config: Config): readonly Slot[] {
  const { poolMax } = config.data
  const hasWorker = config.server.role === 'all'
  const names = [
    ...(hasWorker ? ['worker'] : []),
    ...Array.from({ length: apiProcesses(config) }, (_, nth) => `api-${nth + 1}`),
  ]
  const share = Math.floor(poolMax / (names.length + 1))
  if (share < poolMin)
    throw new Error(
      `LANDFALL_POOL_MAX is ${poolMax}, too few for ${names.length} processes and one more that replaces another. Set it to at least ${poolMin * (names.length + 1)}, or lower LANDFALL_API_PROCESSES.`,
    )
  return names.map((name) => ({
    name,
    env: {
      LANDFALL_API_PROCESSES: '1',
      LANDFALL_PROCESS_NAME: name,
      LANDFALL_ROLE: name === 'worker' ? 'worker' : 'api',
      LANDFALL_POOL_MAX: String(share),
      // The parent writes what they log.
      LANDFALL_LOG_FILE: '',
    },
  }))
}
