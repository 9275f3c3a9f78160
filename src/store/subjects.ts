/** Subjects: what is looked at, under whose access, and when next. Leases let many workers share the schedule. */

import type { Db } from './database.ts'

export type SubjectKind = 'container' | 'bill_of_lading' | 'booking'

/** A subject taken for a look, with the access that its credential gives. */
export interface DueSubject {
  readonly id: string
  readonly credentialId: string
  readonly scac: string
  readonly kind: SubjectKind
  readonly number: string
  readonly lastSnapshotId: string | null
  readonly isUnconfirmed: boolean
  readonly failures: number
  readonly source: string
  readonly profile: Readonly<Record<string, unknown>>
  readonly secretSealed: Buffer | null
  readonly isFiction: boolean
}

/** The subject of this number under this credential, made when there is none, and due at once. */
export async function ensureSubject(
  db: Db,
  subject: {
    readonly id: string
    readonly credentialId: string
    readonly scac: string
    readonly kind: SubjectKind
    readonly number: string
    readonly createdAt: string
    readonly dueAt: string
  },
): Promise<string> {
  const { rows } = await db.query<{ id: string }>({
    name: 'subject_ensure',
    text: `insert into subjects (id, credential_id, scac, kind, number, created_at, next_look_at)
           values ($1, $2, $3, $4, $5, $6, $7)
           on conflict (credential_id, kind, number)
           do update set next_look_at = least(subjects.next_look_at, excluded.next_look_at)
           returning id`,
    values: [
      subject.id,
      subject.credentialId,
      subject.scac,
      subject.kind,
      subject.number,
      subject.createdAt,
      subject.dueAt,
    ],
  })
  const row = rows[0]
  if (row === undefined) throw new Error('the subject was not written')
  return row.id
}

/** Takes up to `limit` due subjects under a lease; none that another worker holds. */
export async function leaseDueSubjects(
  db: Db,
  lease: { readonly token: string; readonly now: string; readonly until: string; readonly limit: number },
): Promise<readonly DueSubject[]> {
  const { rows } = await db.query<Record<string, never>>({
    name: 'subjects_lease',
    text: `with due as (
             select id from subjects
              where next_look_at <= $2 and (leased_until is null or leased_until < $2)
              order by next_look_at
              limit $4
              for update skip locked
           ), taken as (
             update subjects s set lease_token = $1, leased_until = $3
               from due where s.id = due.id
             returning s.*
           )
           select t.id, t.credential_id as "credentialId", t.scac, t.kind, t.number,
                  t.last_snapshot_id as "lastSnapshotId", t.is_unconfirmed as "isUnconfirmed", t.failures,
                  c.source, c.profile, c.secret_sealed as "secretSealed", c.is_fiction as "isFiction"
             from taken t join credentials c on c.id = t.credential_id`,
    values: [lease.token, lease.now, lease.until, lease.limit],
  })
  return rows as unknown as DueSubject[]
}

/** Writes down that a look ended; false when the lease had run out and another worker took over. */
export async function finishLook(
  db: Db,
  look: {
    readonly subjectId: string
    readonly token: string
    readonly attemptedAt: string
    readonly succeeded: boolean
    readonly snapshotId: string | null
    readonly nextLookAt: string
  },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'subject_finish',
    text: `update subjects
              set lease_token = null, leased_until = null, next_look_at = $6, last_attempted_at = $3,
                  last_succeeded_at = case when $4 then $3 else last_succeeded_at end,
                  last_snapshot_id = coalesce($5, last_snapshot_id),
                  failures = case when $4 then 0 else failures + 1 end
            where id = $1 and lease_token = $2`,
    values: [look.subjectId, look.token, look.attemptedAt, look.succeeded, look.snapshotId, look.nextLookAt],
  })
  return rowCount === 1
}

/** Gives the subject back unlooked, to be taken again from `nextLookAt` (a rate limit, a stop of the process). */
export async function releaseSubject(
  db: Db,
  release: { readonly subjectId: string; readonly token: string; readonly nextLookAt: string },
): Promise<void> {
  await db.query({
    name: 'subject_release',
    text: `update subjects set lease_token = null, leased_until = null, next_look_at = $3
            where id = $1 and lease_token = $2`,
    values: [release.subjectId, release.token, release.nextLookAt],
  })
}

/** Brings the next look forward to `at`; never puts it off. */
export async function lookNoLaterThan(db: Db, subjectId: string, at: string): Promise<void> {
  await db.query({
    name: 'subject_hasten',
    text: `update subjects set next_look_at = least(next_look_at, $2) where id = $1`,
    values: [subjectId, at],
  })
}

/** Stops looking at subjects that no live request needs any more. */
export async function retireIdleSubjects(db: Db, subjectIds: readonly string[]): Promise<void> {
  await db.query({
    name: 'subjects_retire_idle',
    text: `update subjects s set next_look_at = null
            where s.id = any($1::uuid[])
              and not exists (select 1 from tracking_requests r
                               where r.subject_id = s.id and r.status in ('pending', 'awaiting_manifest', 'created'))`,
    values: [subjectIds],
  })
}

export async function markUnconfirmed(db: Db, subjectId: string, isUnconfirmed: boolean): Promise<void> {
  await db.query({
    name: 'subject_unconfirmed',
    text: `update subjects set is_unconfirmed = $2 where id = $1 and is_unconfirmed <> $2`,
    values: [subjectId, isUnconfirmed],
  })
}

/**
 * Takes the credential's next free slot under its rate limit (GCRA): null when there is one now, else the instant
 * to come back. One statement, so that it holds across processes.
 */
export async function takeSlot(
  db: Db,
  slot: { readonly credentialId: string; readonly now: string; readonly intervalMs: number; readonly burst: number },
): Promise<string | null> {
  const { rows } = await db.query<{ at: string; taken: boolean }>({
    name: 'credential_slot',
    text: `with seen as (select id, next_slot_at from credentials where id = $1 for update),
                 taken as (
                   update credentials c
                      set next_slot_at = greatest(seen.next_slot_at, $2::timestamptz) + $3 * interval '1 millisecond'
                     from seen
                    where c.id = seen.id
                      and seen.next_slot_at <= $2::timestamptz + $3 * $4 * interval '1 millisecond'
                   returning true)
           select greatest(next_slot_at, $2::timestamptz) - $3 * ($4 - 1) * interval '1 millisecond' as at,
                  exists (select 1 from taken) as taken
             from seen`,
    values: [slot.credentialId, slot.now, slot.intervalMs, slot.burst - 1],
  })
  const row = rows[0]
  return row === undefined || row.taken ? null : row.at
}

/** What a subject is asked with: enough to read its snapshots again. */
export async function getSubjectAccess(
  db: Db,
  subjectId: string,
): Promise<{
  readonly kind: SubjectKind
  readonly number: string
  readonly source: string
  readonly profile: Readonly<Record<string, unknown>>
}> {
  const { rows } = await db.query<Record<string, never>>({
    name: 'subject_access',
    text: `select s.kind, s.number, c.source, c.profile
             from subjects s join credentials c on c.id = s.credential_id where s.id = $1`,
    values: [subjectId],
  })
  const row = rows[0]
  if (row === undefined) throw new Error(`subject ${subjectId} is gone`)
  return row as unknown as { kind: SubjectKind; number: string; source: string; profile: Record<string, unknown> }
}

/**
 * Brings the looks of a tracked shipment forward to now, save those that ended less than `gapMs` ago (real time).
 * Returns how many will be taken.
 */
export async function hastenLooks(
  db: Db,
  of: { readonly accountId: string; readonly shipmentId: string; readonly now: string; readonly gapMs: number },
): Promise<number> {
  const { rowCount } = await db.query({
    name: 'subjects_hasten',
    text: `update subjects s set next_look_at = $3
            where s.id in (select subject_id from tracking_requests
                            where account_id = $1 and shipment_id = $2 and status = 'created')
              and not exists (select 1 from looks l
                               where l.subject_id = s.id and l.ended_at > $3::timestamptz - $4 * interval '1 millisecond')`,
    values: [of.accountId, of.shipmentId, of.now, of.gapMs],
  })
  return rowCount ?? 0
}
