/** Notifies PostgreSQL that its files are being copied (`pg_backup_start`), and that the copy has ended. */

import pg from 'pg'

export interface RunningBaseBackup {
  /** The first segment of the log that the copy needs. */
  readonly startWal: string
  readonly startedAt: string
  readonly postgres: string
  /** Waits until the log that the copy needs is in the archive. `label` belongs into the copy as `backup_label`. */
  readonly stop: () => Promise<{ readonly label: string; readonly endedAt: string }>
  /** Gives up when it was not stopped. */
  readonly close: () => Promise<void>
}

/** Null when the server does not archive its log. `connection` is the URL of a superuser. */
export async function startBaseBackup(connection: string): Promise<RunningBaseBackup | null> {
  const client = new pg.Client({ connectionString: connection, application_name: 'landfall backup base' })
  await client.connect()
  client.on('error', () => {})
  try {
    await client.query('set statement_timeout = 0; set idle_in_transaction_session_timeout = 0')
    const { rows } = await client.query<{ mode: string; postgres: string }>(
      `select current_setting('archive_mode') as mode, current_setting('server_version') as postgres`,
    )
    const [server] = rows
    if (server === undefined || server.mode !== 'on') {
      await client.end()
      return null
    }
    const started = await client.query<{ wal: string; at: Date }>(
      `select pg_walfile_name(pg_backup_start('landfall', true)) as wal, now() as at`,
    )
    const [start] = started.rows
    if (start === undefined) throw new Error('PostgreSQL did not start the base backup')
    return {
      startWal: start.wal,
      startedAt: start.at.toISOString(),
      postgres: server.postgres,
      stop: async () => {
        const { rows: ended } = await client.query<{ label: string; at: Date }>(
          `select labelfile as label, clock_timestamp() as at from pg_backup_stop(true)`,
        )
        const [end] = ended
        if (end === undefined) throw new Error('PostgreSQL did not end the base backup')
        return { label: end.label, endedAt: end.at.toISOString() }
      },
      close: () => client.end().catch(() => {}),
    }
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
}

const ofReplay = [
  'hot_standby',
  'recovery_target_action',
  'recovery_target_time',
  'recovery_target_timeline',
  'restore_command',
] as const

/** After the log was replayed: forgets how, so that a later replay has none of these settings. */
export async function resetReplaySettings(connection: string): Promise<void> {
  const client = new pg.Client({ connectionString: connection })
  await client.connect()
  try {
    for (const name of ofReplay) await client.query(`alter system reset ${name}`)
  } finally {
    await client.end()
  }
}
