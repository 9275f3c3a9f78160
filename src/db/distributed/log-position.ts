/**
 * Where servers are in the write-ahead log: how far the primary has come, and how far a replica has replayed. A replica
 * that has replayed what the primary has flushed shows every commit that was acknowledged before (docs/decisions/0043).
 */

import type { Db } from '../database.ts'

/** A position is comparable with another one of the same timeline. */
export interface LogPosition {
  /** As in the names of the files of the log. */
  readonly timeline: string
  readonly bytes: bigint
}

/**
 * Every commit that was acknowledged before the call is before the returned position. With `synchronous_commit` = off a
 * commit is acknowledged before it is flushed; then the position is that of the last write to memory. Otherwise it is
 * the flushed position: writes that no commit has flushed may stay in memory for long, and a replica would seem late
 * although nothing is missing there.
 */
export async function readLogPosition(primary: Db): Promise<LogPosition> {
  const { rows } = await primary.query<{ timeline: string; bytes: string; pageBytes: number }>({
    name: 'log_position',
    text: `select left(pg_walfile_name(at), 8) as timeline, (at - '0/0')::text as bytes,
                  current_setting('wal_block_size')::integer as "pageBytes"
             from (select case current_setting('synchronous_commit') when 'off' then pg_current_wal_insert_lsn()
                                                                    else pg_current_wal_flush_lsn() end) as t (at)`,
  })
  const [row] = rows
  if (row === undefined) throw new Error('the server returned no position of its log')
  return { timeline: row.timeline, bytes: endOfRecord(BigInt(row.bytes), BigInt(row.pageBytes)) }
}

/**
 * When the last record ends with its page, the place for the next one is behind the header of the next page, and no
 * replica can have replayed up to there.
 */
function endOfRecord(bytes: bigint, pageBytes: bigint): bigint {
  const into = bytes % pageBytes
  return into === 24n || into === 40n ? bytes - into : bytes
}

export interface ReplayPosition {
  readonly isStandby: boolean
  readonly bytes: bigint
}

/** Everything before the position is visible to statements that are sent to this server after the call. */
export async function readReplayed(db: Db): Promise<ReplayPosition> {
  const { rows } = await db.query<{ isStandby: boolean; bytes: string | null }>({
    name: 'log_replayed',
    text: `select pg_is_in_recovery() as "isStandby", (pg_last_wal_replay_lsn() - '0/0')::text as bytes`,
  })
  const [row] = rows
  return { isStandby: row?.isStandby === true, bytes: BigInt(row?.bytes ?? 0) }
}

export interface ServerState extends ReplayPosition {
  /** Different for each server, and for the same server after it was started again. */
  readonly server: string
  /** Of the primary and all its replicas. Null, as the timeline, when the role may not read it. */
  readonly system: string | null
  readonly timeline: string | null
}

/** What a replica is. The timeline may be that before a failover until its next restart point, and is never too new. */
export async function readServerState(db: Db): Promise<ServerState> {
  const { rows } = await db.query<{ server: string; received: number | null }>({
    name: 'server_standing',
    // Only a role that may read statistics sees what the receiver got.
    text: `select concat_ws(' ', pg_postmaster_start_time(), inet_server_addr(), inet_server_port()) as server,
                  (select received_tli from pg_stat_wal_receiver) as received`,
  })
  const origin = await readOrigin(db)
  const timeline = Math.max(rows[0]?.received ?? 0, origin?.timeline ?? 0)
  return {
    ...(await readReplayed(db)),
    server: rows[0]?.server ?? '',
    system: origin?.system ?? null,
    timeline: timeline === 0 ? null : timeline.toString(16).toUpperCase().padStart(8, '0'),
  }
}

/** Of the primary too. */
export async function readSystem(db: Db): Promise<string | null> {
  return (await readOrigin(db))?.system ?? null
}

async function readOrigin(db: Db): Promise<{ readonly system: string; readonly timeline: number } | null> {
  const { rows } = await db.query<{ may: boolean }>({
    name: 'server_may_tell_origin',
    text: `select has_function_privilege('pg_control_system()', 'execute')
                  and has_function_privilege('pg_control_checkpoint()', 'execute') as may`,
  })
  // The privileges are checked also where the call is never reached, so it needs a statement of its own.
  if (rows[0]?.may !== true) return null
  const result = await db.query<{ system: string; timeline: number }>({
    name: 'server_origin',
    text: `select system_identifier::text as system, timeline_id as timeline
             from pg_control_system(), pg_control_checkpoint()`,
  })
  return result.rows[0] ?? null
}
