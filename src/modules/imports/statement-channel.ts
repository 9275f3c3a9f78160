/** Finds the channel of the account that ingests a table of statements, and checks when the table was written. */

import { addMs } from '../../domain/values/time.ts'
import type { Context } from '../access/context.ts'
import { findInboundChannel, type InboundChannel } from '../channels/inbound-channels-sql.ts'
import { notFound, ServiceError } from '../errors.ts'
import { journeyNow, type Service } from '../service.ts'
import type { UploadedFile } from './read-file.ts'

export interface StatementChannel {
  readonly channel: InboundChannel
  readonly writtenAt: string | null
}

/** A table may be dated this far ahead: clocks differ, and its day may not have begun here. */
const aheadMsMax = 48 * 3_600_000
const earliest = '2000-01-01'

/**
 * Null for a table of tracking requests. A channel that belongs to another account or to the whole installation, or
 * that is closed, is "not found".
 */
export async function findStatementChannel(
  service: Service,
  context: Context,
  upload: Pick<UploadedFile, 'scac' | 'detectsLine'> & {
    readonly channel: string | null
    readonly writtenAt: string | null
  },
): Promise<StatementChannel | null> {
  const { channel: name, writtenAt } = upload
  if (name === null) {
    if (writtenAt !== null)
      throw parameterError('written_at', 'This belongs to a table of statements: give its `channel` too.')
    return null
  }
  const lineParameter = upload.scac !== null ? 'scac' : upload.detectsLine !== null ? 'auto_detect_vocc_scac' : null
  if (lineParameter !== null)
    throw parameterError(lineParameter, 'Leave this out: in a table of statements, the channel determines the source.')
  const channel = await findInboundChannel(service.pool, name)
  if (channel === null || channel.accountId !== context.account.id || !channel.isEnabled) throw notFound('channel')
  if (channel.source !== 'statements')
    throw parameterError(
      'channel',
      `This channel has the language ${channel.source}. A table needs a channel with the language statements.`,
    )
  const latest = addMs(journeyNow(service, channel.isSandbox), aheadMsMax)
  if (writtenAt !== null && (writtenAt > latest || writtenAt < earliest))
    throw parameterError(
      'written_at',
      'A table cannot have been written at this time: it is in the future or too early.',
    )
  return { channel, writtenAt }
}

function parameterError(parameter: string, detail: string): ServiceError {
  return new ServiceError('invalid', detail, { source: { parameter } })
}
