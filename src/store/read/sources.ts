/**
 * The channels through which an account hears of its boxes: those that Landfall asks, and those that send by
 * themselves.
 */

import { nothingSpent, type Spending } from '../../core/looking/request-budget.ts'
import type { SourceKind } from '../../core/statements/observation.ts'
import type { NumberKind } from '../../sources/source.ts'
import type { Db } from '../database.ts'
import { verifiedAt } from '../people/accounts.ts'

export interface SourceRow {
  readonly id: string
  /** True for the account's own; false for one of the whole installation. */
  readonly isOwn: boolean
  /** The name of a channel through which somebody sends; null for one that is only asked. */
  readonly name: string | null
  readonly speakerKind: SourceKind
  readonly speakerCode: string
  readonly language: string
  readonly profile: Readonly<Record<string, unknown>>
  readonly isAsked: boolean
  readonly isTold: boolean
  /** For a channel that sends: the kinds of number by which it is asked as well. */
  readonly asksBy: readonly NumberKind[]
  readonly isEnabled: boolean
  readonly verifiedAt: string | null
  readonly leftAloneUntil: string | null
  /** What was wrong when it was last asked; null when nothing was. */
  readonly trouble: string | null
  /** When it last had something to tell, in an answer or in a message. */
  readonly heardAt: string | null
  /** How it is asked, where it sends and is asked as well. */
  readonly asking: Readonly<Record<string, unknown>> | null
  readonly answeredAt: string | null
  /** How many times in a row it has failed, whatever it was asked. */
  readonly failures: number
  readonly spending: Spending
  /**
   * Of the numbers that are asked about next, the share whose last question was answered: 0 to 1; null where none was
   * asked.
   */
  readonly answeredShare: number | null
}

/** How many of the numbers that are due next are read, to show how a channel answers. */
const numbersMax = 200
/** More accesses than an installation has. It limits the length of the page of metrics. */
const accessesMax = 5_000

/** For a channel that sends and is asked as well, the number of necessary pauses counts. */
const failures = `case when c.is_asked then coalesce(q.failures, 0) else c.refusals end`
const shareAnswered = `avg((failures = 0)::integer) filter (where at is not null)::float8 as share`

/** Two index reads for each channel, of bounded length. */
export async function listSources(
  db: Db,
  of: { readonly accountId: string; readonly isFiction: boolean },
): Promise<readonly SourceRow[]> {
  const { rows } = await db.query<SourceRow>({
    name: 'sources_of_account',
    text: `select c.id, c.account_id is not null as "isOwn", c.name, c.speaker_kind as "speakerKind", c.scac as "speakerCode",
                  c.source as language, c.profile, c.is_asked as "isAsked", c.is_told as "isTold", c.asks_by as "asksBy",
                  c.is_enabled as "isEnabled", ${verifiedAt} as "verifiedAt", c.left_alone_until as "leftAloneUntil",
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
    values: [of.accountId, of.isFiction],
  })
  return rows.map((row) => ({ ...row, spending: { ...nothingSpent, ...row.spending } }))
}

export type AskedSource = Pick<
  SourceRow,
  | 'speakerCode'
  | 'language'
  | 'profile'
  | 'asking'
  | 'leftAloneUntil'
  | 'answeredAt'
  | 'failures'
  | 'spending'
>

/**
 * The channels of all accounts that have been asked, without simulated ones. For the operator; it reads two short rows
 * for each channel.
 */
export async function listAskedSources(db: Db): Promise<readonly AskedSource[]> {
  const { rows } = await db.query<AskedSource>({
    name: 'sources_asked',
    text: `select c.scac as "speakerCode", c.source as language, c.profile, c.asking, c.left_alone_until as "leftAloneUntil",
                  c.answered_at as "answeredAt", ${failures} as failures, q.spending
             from channels c join channel_queue q on q.channel_id = c.id
            where not c.is_fiction and c.is_enabled and c.source <> 'test'
            order by c.id limit ${accessesMax}`,
  })
  return rows.map((row) => ({ ...row, spending: { ...nothingSpent, ...row.spending } }))
}
