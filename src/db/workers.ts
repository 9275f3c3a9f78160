/**
 * The processes that hold leases. While a process lives, a session of its own holds an advisory lock with its number:
 * the lock ends with the process at once. A heartbeat shows what the lock cannot: a process that is frozen, or whose
 * machine vanished and left its connections open.
 */

import type { Db } from './database.ts'

/** The first number of the advisory locks; the second is the worker's. */
const lockClass = 7_116_101

export interface NewWorker {
  /** The `application_name` of all its sessions. */
  readonly sessions: string
  readonly host: string
  readonly pid: number
  readonly role: string
  readonly version: string
}

/** Registers a process on the session that proves its life. The lock is there before others see the row. */
export async function registerWorker(session: Db, of: NewWorker): Promise<number> {
  const { rows } = await session.query<{ id: number }>({
    name: 'worker_register',
    text: `with made as (
             insert into workers (sessions, host, pid, role, version, started_at, heartbeat_at)
             values ($2, $3, $4, $5, $6, clock_timestamp(), clock_timestamp())
             returning id
           )
           select id, pg_advisory_lock($1, id) from made`,
    values: [lockClass, of.sessions, of.host, of.pid, of.role, of.version],
  })
  const id = rows[0]?.id
  if (id === undefined) throw new Error('the worker was not registered')
  return id
}

/**
 * Acquires the lock on a new session. False when the worker was declared dead, or its old session still has the lock.
 */
export async function reclaimWorker(session: Db, id: number): Promise<boolean> {
  const { rows } = await session.query<{ isOurs: boolean }>({
    name: 'worker_reclaim',
    text: `select pg_try_advisory_lock($1, id) as "isOurs" from workers where id = $2`,
    values: [lockClass, id],
  })
  return rows[0]?.isOurs ?? false
}

/** False when others have declared this worker dead. */
export async function recordHeartbeat(session: Db, id: number): Promise<boolean> {
  const { rowCount } = await session.query({
    name: 'worker_beat',
    text: `update workers set heartbeat_at = clock_timestamp() where id = $1`,
    values: [id],
  })
  return rowCount === 1
}

export interface Worker extends Omit<NewWorker, 'sessions'> {
  readonly id: number
  readonly startedAt: string
  readonly heartbeatAt: string
  /** Its session is connected. */
  readonly isConnected: boolean
}

export async function listWorkers(db: Db): Promise<readonly Worker[]> {
  const { rows } = await db.query<Worker>({
    name: 'workers_list',
    text: `select w.id, w.host, w.pid, w.role, w.version, w.started_at as "startedAt",
                  w.heartbeat_at as "heartbeatAt", l.objid is not null as "isConnected"
             from workers w
             left join pg_locks l
               on l.locktype = 'advisory' and l.classid = $1 and l.objid = w.id and l.objsubid = 2 and l.granted
                  and l.database = (select oid from pg_database where datname = current_database())
            order by w.id`,
    values: [lockClass],
  })
  return rows
}

/**
 * Locks the row of a worker for the caller that takes over its work, and ends its sessions. So a process that was only
 * frozen cannot commit its transactions, and its row locks are free. Null when another process already takes over.
 */
export async function lockDeadWorker(db: Db, id: number): Promise<{ readonly sessionsEnded: number } | null> {
  const { rows } = await db.query<{ sessions: string; wait: string }>({
    name: 'worker_lock_dead',
    text: `select sessions, set_config('lock_timeout', '3s', true) as wait from workers where id = $1
              for update skip locked`,
    values: [id],
  })
  const [dead] = rows
  if (dead === undefined) return null
  const { rowCount } = await db.query({
    name: 'worker_end_sessions',
    // Sessions of other roles could not be ended, and an error would end this transaction.
    text: `select pg_terminate_backend(pid) from pg_stat_activity
            where datname = current_database() and usename = current_user and application_name = $1
              and pid <> pg_backend_pid()`,
    values: [dead.sessions],
  })
  return { sessionsEnded: rowCount ?? 0 }
}

export async function deleteWorker(db: Db, id: number): Promise<void> {
  await db.query({ name: 'worker_delete', text: `delete from workers where id = $1`, values: [id] })
}

/** Only for a caller who knows that no other worker uses this database. */
export async function deleteAllWorkers(db: Db): Promise<void> {
  await db.query({ name: 'workers_delete', text: `delete from workers` })
}
