/**
 * How often something was tried recently: one row for each `subject`, a hash. The lock of the row makes the count
 * exact.
 */

import type { Db } from '../../db/database.ts'

export interface Attempt {
  /** A hash of what is counted. */
  readonly subject: Buffer
  readonly now: string
  /** Attempts from before this do not count. */
  readonly since: string
  readonly max: number
}

/**
 * Uses an attempt. When all are used, returns the time of the oldest one: when that one no longer counts, an attempt is
 * free again.
 */
export async function consumeAttempt(db: Db, attempt: Attempt): Promise<{ readonly usedSince: string | null }> {
  const { rowCount } = await db.query({
    name: 'attempt_take',
    text: `insert into attempts as a (subject, tried_at, last_at) values ($1, array[$2::timestamptz], $2)
           on conflict (subject) do update
              set tried_at = array(select t from unnest(a.tried_at) t where t > $3) || $2::timestamptz, last_at = $2
            where (select count(*) from unnest(a.tried_at) t where t > $3) < $4`,
    values: [attempt.subject, attempt.now, attempt.since, attempt.max],
  })
  if (rowCount === 1) return { usedSince: null }
  const { rows } = await db.query<{ oldest: string | null }>({
    name: 'attempt_oldest',
    text: `select min(t) as oldest from attempts, unnest(tried_at) t where subject = $1 and t > $2`,
    values: [attempt.subject, attempt.since],
  })
  return { usedSince: rows[0]?.oldest ?? attempt.now }
}

/** The attempt succeeded, so what was tried before no longer counts. */
export async function forgetAttempts(db: Db, subjects: readonly Buffer[]): Promise<void> {
  await db.query({
    name: 'attempts_forget',
    text: `delete from attempts where subject = any($1)`,
    values: [subjects],
  })
}

/** Gives an attempt back that does not count. */
export async function releaseAttempt(db: Db, subject: Buffer): Promise<void> {
  await db.query({
    name: 'attempt_give_back',
    text: `update attempts set tried_at = trim_array(tried_at, 1) where subject = $1 and cardinality(tried_at) > 0`,
    values: [subject],
  })
}

export async function deleteOldAttempts(db: Db, { before }: { readonly before: string }): Promise<void> {
  await db.query({
    name: 'attempts_delete_old',
    text: `delete from attempts where last_at < $1`,
    values: [before],
  })
}
