/**
 * The channels from which an account gets data about its containers: those that Landfall polls, and those that send by
 * themselves.
 */

import type { NumberKind } from '../../connectors/source.ts'
import type { Db } from '../../db/database.ts'
import { noUsage, type RequestUsage } from '../../domain/polling/request-budget.ts'
import type { SourceKind } from '../../domain/statements/observation.ts'
import { verifiedAt } from '../accounts/accounts-sql.ts'

export interface SourceRow {
  readonly id: string
  /** True for the account's own; false for one of the whole installation. */
  readonly isOwn: boolean
  /** The name of a channel through which somebody sends; null for one that is only polled. */
  readonly name: string | null
  readonly speakerKind: SourceKind
  readonly speakerCode: string
  readonly language: string
  readonly profile: Readonly<Record<string, unknown>>
  readonly isPolled: boolean
  readonly isPushed: boolean
  /** For a channel that sends: the kinds of number by which it is also polled. */
  readonly pollNumberKinds: readonly NumberKind[]
  readonly isEnabled: boolean
  readonly verifiedAt: string | null
  readonly cooldownUntil: string | null
  /** The fault of the last poll; null when there was none. */
  readonly trouble: string | null
  /** When it last had news, in an answer or in a message. */
  readonly heardAt: string | null
  /** How it is polled, where it sends and is also polled. */
  readonly asking: Readonly<Record<string, unknown>> | null
  readonly answeredAt: string | null
  /** How many polls in a row have failed, for any number. */
  readonly failures: number
  readonly spending: RequestUsage
  /**
   * Of the numbers that are polled next, the share whose last poll was answered: 0 to 1; null where none was polled.
   */
  readonly answeredShare: number | null
}

/** How many of the numbers that are due next are read, to show how a channel answers. */
const numbersMax = 200
/** More accesses than an installation has. It limits the length of the page of metrics. */
const accessesMax = 5_000

/** For a channel that sends and is also polled, the number of necessary cooldowns counts. */
const failures = `case when c.is_asked then coalesce(q.failures, 0) else c.refusals end`
const shareAnswered = `avg((failures = 0)::integer) filter (where at is not null)::float8 as share`

/** Two index reads for each channel, of bounded length. */
export async function listSources(
  db: Db,
  of: { readonly accountId: string; readonly isSandbox: boolean },
): Promise<readonly SourceRow[]> {
  const { rows } = await db.query<SourceRow>({
    name: 'sources_of_account',
    text: `select c.id, c.account_id is not null as "isOwn", c.name, c.speaker_kind as "speakerKind", c.scac as "speakerCode",
                  c.source as language, c.profile, c.is_asked as "isPolled", c.is_told as "isPushed", c.asks_by as "pollNumberKinds",
                  c.is_enabled as "isEnabled", ${verifiedAt} as "verifiedAt", c.left_alone_until as "cooldownUntil",
                  c.asking_trouble as trouble, greatest(c.heard_at, message.at, case when not c.is_asked then c.answered_at end) as "heardAt",
                  c.asking, c.answered_at as "answeredAt", ${failures} as failures,
                  coalesce(q.spending, '{}') as spending, coalesce(looked.share, asked.share) as "answeredShare"
             from channels c
             left join channel_queue q on q.channel_id = c.id
             left join lateral (
                    select received_at as at from inbound_messages
                     where channel_id = c.id
                     order by received_at desc limit 1) message on c.is_told
             left join lateral (
                    select ${shareAnswered} from (
                      select failures, last_attempted_at as at from subjects
                       where credential_id = c.id and next_look_at is not null
                       order by next_look_at limit ${numbersMax}) s) looked on c.is_asked
             left join lateral (
                    select ${shareAnswered} from (
                      select failures, asked_at as at from asked_numbers
                       where channel_id = c.id
                       order by next_ask_at, number limit ${numbersMax}) s) asked on c.asking is not null
            where c.is_fiction = $2 and (c.account_id = $1 or c.account_id is null) and c.source <> 'test'
            order by c.speaker_kind, c.scac, c.name nulls first, c.id`,
    values: [of.accountId, of.isSandbox],
  })
  return rows.map((row) => ({ ...row, spending: { ...noUsage, ...row.spending } }))
}

export type PolledSource = Pick<
  SourceRow,
  'speakerCode' | 'language' | 'profile' | 'asking' | 'cooldownUntil' | 'answeredAt' | 'failures' | 'spending'
>

/**
 * The channels of all accounts that have been polled, without simulated ones. For the operator; it reads two short rows
 * for each channel.
 */
export async function listPolledSources(db: Db): Promise<readonly PolledSource[]> {
  const { rows } = await db.query<PolledSource>({
    name: 'sources_asked',
    text: `select c.scac as "speakerCode", c.source as language, c.profile, c.asking, c.left_alone_until as "cooldownUntil",
                  c.answered_at as "answeredAt", ${failures} as failures, q.spending
             from channels c join channel_queue q on q.channel_id = c.id
            where not c.is_fiction and c.is_enabled and c.source <> 'test'
            order by c.id limit ${accessesMax}`,
  })
  return rows.map((row) => ({ ...row, spending: { ...noUsage, ...row.spending } }))
}
