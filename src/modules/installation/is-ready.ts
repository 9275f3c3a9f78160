/**
 * Whether this process can do its work: the database answers, has every migration that this code knows, and accepts
 * writes.
 */

import { replicasOf } from '../../db/distributed/replicas.ts'
import { probeDiskSpace } from '../../db/probe-disk-space.ts'
import { readSchemaState } from '../../db/schema-state.ts'
import { readPause } from '../../pipeline/jobs/pause.ts'
import { memoizePerOwner } from '../../platform/memoize-per-owner.ts'
import type { OperatorIssueKind } from '../../platform/operator-issue-kinds.ts'
import { areTooFewServing } from '../../platform/siblings.ts'
import type { Service } from '../service.ts'

/** The longest time to wait for the database: a readiness probe needs its answer soon. */
const patienceMs = 2_000
/** After a successful write the database is not tested again for this time, unless a fault has been seen since. */
const fineForMs = 60_000

export interface Readiness {
  readonly isReady: boolean
  readonly database: boolean
  readonly migrations: boolean
  /** The database can store: its disk has free space, and it is no standby. */
  readonly writes: boolean
  /** A restored copy that waits for `landfall resume`. It is ready: its API serves. */
  readonly paused: boolean
  /** What the operator must repair, by the names in the log. */
  readonly troubles: readonly OperatorIssueKind[]
  /** Missing without read replicas. A replica that is not used makes nothing unready: the primary serves. */
  readonly replicas?: { readonly total: number; readonly used: number }
}

/** Operator issues that are over as soon as a write succeeds. */
const ofWriting = [
  'disk_full',
  'data_folder_full',
  'database_read_only',
  'disk_fails',
] as const satisfies readonly OperatorIssueKind[]
/** The server answers, and may go on answering for a while, but what it accepts may be lost. */
const fatal = ['database_replaced', 'disk_nearly_full'] as const satisfies readonly OperatorIssueKind[]

const probes = memoizePerOwner<Service, { fineUntilMs: number }>(() => ({ fineUntilMs: 0 }))

export async function isReady(service: Service): Promise<Readiness> {
  const { operatorIssues } = service
  const missing = await orNullAfterTimeout(service, readSchemaState(service.pool)).then(
    (state) => state?.missing ?? null,
  )
  const database = missing !== null
  if (database) for (const issueName of ['database_away', 'database_refuses'] as const) operatorIssues.end(issueName)
  const writes = database && (await canWrite(service))
  const paused = database && (await orNullAfterTimeout(service, readPause(service))) !== null
  const active = operatorIssues.active()
  const migrations = missing?.length === 0
  return {
    isReady:
      database && migrations && writes && !areTooFewServing() && !fatal.some((issueName) => active.includes(issueName)),
    database,
    migrations,
    writes,
    paused,
    troubles: active.toSorted(),
    ...countReplicas(service),
  }
}

function countReplicas({ pool }: Service): Pick<Readiness, 'replicas'> {
  const states = replicasOf(pool)?.states()
  if (states === undefined) return {}
  return { replicas: { total: states.length, used: states.filter(({ whyNot }) => whyNot === null).length } }
}

async function canWrite(service: Service): Promise<boolean> {
  const { operatorIssues } = service
  const probe = probes(service)
  const isSuspected = ofWriting.some((issueName) => operatorIssues.active().includes(issueName))
  if (!isSuspected && performance.now() < probe.fineUntilMs) return true
  const isFine = await orNullAfterTimeout(
    service,
    probeDiskSpace(service.pool).then(() => true),
  )
  if (isFine !== true) {
    probe.fineUntilMs = 0
    return false
  }
  for (const issueName of ofWriting) operatorIssues.end(issueName)
  probe.fineUntilMs = performance.now() + fineForMs
  return true
}

/** Null when it fails, which is logged, or takes too long. */
async function orNullAfterTimeout<T>(service: Service, work: Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, patienceMs, null)
  })
  try {
    return await Promise.race([work, late])
  } catch (error) {
    service.log.warn('database.unreachable', { error })
    return null
  } finally {
    clearTimeout(timer)
  }
}
