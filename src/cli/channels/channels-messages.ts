/**
 * `landfall channels messages` and related commands: shows the operator everything that came through a channel, for all
 * accounts.
 */

import { writeFileSync } from 'node:fs'
import { isOneOf } from '../../domain/values/codes.ts'
import {
  type InboundMessageReading,
  type MessageStatus,
  messageStatuses,
} from '../../modules/inbound-messages/list-inbound-messages-sql.ts'
import {
  downloadAnyMessage,
  getAnyMessage,
  listChannelMessages,
  replayAnyMessage,
} from '../../modules/inbound-messages/operator-messages.ts'
import { isErrorCode } from '../../platform/error-code.ts'
import { defineCommand, UsageError } from '../framework/command.ts'
import { type ChartStyle, countByInterval, writeSpark } from '../framework/spark.ts'

const jsonOption = { type: 'boolean', about: 'print JSON' } as const
const idOperand = { name: 'id', about: 'of the message' } as const
const listedMax = 1_000

export const channelsMessages = defineCommand({
  about:
    'Also works for channels of the whole installation, whose messages no account can see. On a terminal the last line shows as bars how many messages came when.',
  operands: [{ name: 'channel', about: 'its name' }],
  options: {
    status: {
      type: 'string',
      value: `<${messageStatuses.join('|')}>`,
      about: 'only messages with this status',
    },
    limit: {
      type: 'string',
      value: '<number>',
      about: `maximum number of rows, at most ${listedMax}; if it is missing, 50`,
    },
    json: jsonOption,
  },
  examples: ['channels messages pier-400', 'channels messages pier-400 --status unmapped'],
  run: async ({ operands, options, shell }) => {
    const limit = Number(options.limit ?? '50')
    if (!Number.isInteger(limit) || limit < 1 || limit > listedMax)
      throw new UsageError(`The limit is a whole number from 1 to ${listedMax}.`)
    const status = parseMessageStatus(options.status)
    const service = await shell.openService()
    const messages = await listChannelMessages(service, { channel: operands[0] ?? '', status, limit })
    if (options.json) shell.print(JSON.stringify(messages, null, 2))
    else {
      for (const message of messages) shell.print(lineOf(message))
      for (const line of linesOfTimes(messages, shell.drawing)) shell.print(line)
    }
    return 0
  },
})

export const channelsShowMessage = defineCommand({
  about:
    'The whole message contains data of every customer, with the names of sender and receiver. An account sees only the parts about its shipments.',
  operands: [idOperand],
  options: {
    download: {
      type: 'string',
      value: '<file>',
      about: 'file to write; an existing file is never replaced',
    },
    acknowledgement: {
      type: 'boolean',
      about: 'with --download: write the acknowledgement instead of the message',
    },
    json: jsonOption,
  },
  examples: [
    'channels show-message 0190f5a2-0000-7000-8000-000000000001',
    'channels show-message 0190f5a2-0000-7000-8000-000000000001 --download message.edi',
  ],
  run: async ({ operands, options, shell }) => {
    const id = parseMessageId(operands[0])
    if (options.acknowledgement && options.download === null)
      throw new UsageError('--acknowledgement needs --download.')
    const service = await shell.openService()
    const message = await getAnyMessage(service, id)
    if (options.json) shell.print(JSON.stringify(message, null, 2))
    else for (const line of linesOf(message)) shell.print(line)
    if (options.download !== null) {
      const part = options.acknowledgement ? 'acknowledgement' : 'body'
      writeNewFile(options.download, await downloadAnyMessage(service, { id, component: part }))
      shell.log(`Written to ${options.download}.`)
    }
    return 0
  },
})

export const channelsReplay = defineCommand({
  about:
    'Use it after channels change has given a code its meaning. Only the parts that were not understood are read again.',
  operands: [idOperand],
  examples: ['channels replay 0190f5a2-0000-7000-8000-000000000001'],
  run: async ({ operands, shell }) => {
    const id = parseMessageId(operands[0])
    const { parts, understood } = await replayAnyMessage(await shell.openService(), id)
    shell.print(`${parts} parts were read again; ${understood} of them are understood now.`)
    return 0
  },
})

/** Bars alone: what they show is in the times of the rows for those who cannot see them. */
function linesOfTimes(messages: readonly InboundMessageReading[], drawing: ChartStyle): readonly string[] {
  const times = messages.map(({ receivedAt }) => Date.parse(receivedAt))
  const counted = countByInterval(times, { columns: 40, by: 'distance' })
  if (drawing !== 'bars' || counted === null || counted.from === counted.to) return []
  const [from, to] = [counted.from, counted.to].map((at) => `${new Date(at).toISOString().slice(0, 19)}Z`)
  return ['', `${from}  ${writeSpark(counted.counts)}  ${to}`]
}

function parseMessageStatus(given: string | null): MessageStatus | null {
  if (given === null || isOneOf(messageStatuses, given)) return given
  throw new UsageError(`${given} is not a status. Give one of ${messageStatuses.join(', ')}.`)
}

function parseMessageId(given = ''): string {
  if (/^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(given)) return given.toLowerCase()
  throw new UsageError(`${given} is not the id of a message.`)
}

function lineOf({ id, receivedAt, status, byteCount, parts, faults }: InboundMessageReading): string {
  const counts = `${byteCount} bytes  ${parts.length} parts`
  return `${id}  ${receivedAt}  ${status}  ${counts}${faults.length === 0 ? '' : `  ${faults.length} faults`}`
}

function linesOf(message: InboundMessageReading & { readonly accountId: string | null }): readonly string[] {
  const to = message.accountId === null ? 'the whole installation' : `account ${message.accountId}`
  return [
    `${message.channel}  to ${to}`,
    lineOf(message),
    ...message.parts.map(({ part, about, isUnmapped, expiredAt, shipmentIds }) => {
      const mentioned = about.map(({ kind, number }) => `${kind} ${number}`).join(', ')
      const usage = shipmentIds.length > 0 ? `used by ${shipmentIds.join(', ')}` : 'waiting'
      const became = expiredAt === null ? usage : `expired ${expiredAt}`
      return `  ${part}  ${mentioned}  ${became}${isUnmapped ? '  unmapped' : ''}`
    }),
    ...message.faults.map(({ kind, path, detail }) => `  fault  ${kind}  ${path}  ${detail}`),
  ]
}

function writeNewFile(file: string, bytes: Buffer): void {
  try {
    // Only the user who ran the command may read the file: it concerns every customer.
    writeFileSync(file, bytes, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if (isErrorCode(error, 'EEXIST')) throw new UsageError(`${file} already exists.`)
    throw new UsageError(`${file} cannot be written.`)
  }
}
