/** Finds the channel of the account that takes in a table of statements, and checks when the table was written. */

import { addMs } from '../../../core/values/time.ts'
import { findToldChannel, type ToldChannel } from '../../../store/channels/channels.ts'
import type { Context } from '../../context.ts'
import { notFound, ServiceError } from '../../errors.ts'
import { journeyNow, type Service } from '../../service.ts'
import type { SentFile } from './read-file.ts'

export interface Said {
  readonly channel: ToldChannel
  readonly writtenAt: string | null
}

/** A table may be dated this far ahead: clocks differ, and its day may not have begun here. */
const aheadMsMax = 48 * 3_600_000
const earliest = '2000-01-01'

/**
 * Null for a table of tracking requests. A channel that belongs to another account or to the whole installation, or
 * that is closed, is "not found".
 */
export async function saidThrough(
  service: Service,
  context: Context,
  sent: Pick<SentFile, 'scac' | 'detectsLine'> & {
    readonly channel: string | null
    readonly writtenAt: string | null
  },
): Promise<Said | null> {
  const { channel: name, writtenAt } = sent
  if (name === null) {
    if (writtenAt !== null)
      throw refused('written_at', 'This belongs to a table of statements: give its `channel` too.')
    return null
  }
  const asked = sent.scac !== null ? 'scac' : sent.detectsLine !== null ? 'auto_detect_vocc_scac' : null
  if (asked !== null)
    throw refused(asked, 'Leave this out: the channel of a table of statements determines who speaks.')
  const channel = await findToldChannel(service.pool, name)
  if (channel === null || channel.accountId !== context.account.id || !channel.isEnabled)
    throw notFound('channel')
  if (channel.source !== 'statements')
    throw refused(
      'channel',
      `This channel speaks ${channel.source}. A table needs a channel that speaks statements.`,
    )
  const latest = addMs(journeyNow(service, channel.isFiction), aheadMsMax)
  if (writtenAt !== null && (writtenAt > latest || writtenAt < earliest))
    throw refused(
      'written_at',
      'A table cannot have been written at this time: it is in the future or too early.',
    )
  return { channel, writtenAt }
}

function refused(parameter: string, detail: string): ServiceError {
  return new ServiceError('invalid', detail, { source: { parameter } })
}
