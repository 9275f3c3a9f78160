/** `landfall channels`: the ways in through which others send unasked, and their keys, by the operator. */

import { readFileSync } from 'node:fs'
import { isOneOf } from '../../core/codes.ts'
import { isObject } from '../../core/json-value.ts'
import { sourceKinds } from '../../core/observation.ts'
import {
  changeChannel,
  createChannel,
  getChannel,
  type KeyKind,
  listChannels,
  rotateChannelKey,
} from '../../service/intake/channels.ts'
import { toldSourceNames } from '../../sources/told-registry.ts'
import { type Acknowledging, acknowledgings } from '../../store/channels.ts'
import { accountNamed, accountOption } from './account-named.ts'
import { command, UsageError } from './command.ts'

const keyOption = {
  type: 'string',
  value: '<bearer|hmac>',
  about: 'how a sender proves itself: by a key that it sends, or by signing the body; bearer when left out',
} as const

export const channelsCreate = command({
  name: 'channels create',
  summary: 'Open a way in for a line, terminal, railway or partner that sends by itself',
  about:
    'The key is printed once, on standard output. Deliveries go to POST /v2/inbound/<name>. Who speaks is said here and never read from a message.',
  operands: [{ name: 'name', about: 'small letters, digits and hyphens; it stands in the address' }],
  options: {
    speaker: {
      type: 'string',
      value: '<kind:code>',
      about: 'who speaks: shipping_line:HLCU, terminal:Y258, rail:BNSF',
      isRequired: true,
    },
    language: {
      type: 'string',
      value: `<${toldSourceNames.join('|')}>`,
      about: 'in which it speaks',
      isRequired: true,
    },
    account: accountOption,
    installation: { type: 'boolean', about: 'it speaks to all accounts, and reaches each by its documents' },
    relayed: { type: 'boolean', about: 'it passes on what others said: first hand is believed before it' },
    profile: { type: 'string', value: '<file.json>', about: "the partner's own codes and habits" },
    acknowledge: {
      type: 'string',
      value: `<${acknowledgings.join('|')}>`,
      about: 'what is answered to an interchange; off when left out',
    },
    key: keyOption,
  },
  examples: [
    'channels create hapag-events --speaker shipping_line:HLCU --language dcsa --account "Example Imports"',
    'channels create pier-400 --speaker terminal:W185 --language x12 --installation --profile pier-400.json',
  ],
  run: async ({ operands, options, shell }) => {
    const [kind, code = ''] = options.speaker.split(':')
    if (!isOneOf(sourceKinds, kind) || kind === 'ais' || kind === 'user')
      throw new UsageError('The speaker is shipping_line:<SCAC>, terminal:<FIRMS or SMDG> or rail:<SCAC>.')
    const service = await shell.openService()
    const account = options.installation ? null : (await accountNamed(service, options.account)).account
    const { channel, key } = await createChannel(service, {
      name: operands[0] ?? '',
      account,
      speaker: { kind, code: code.toUpperCase() },
      source: options.language,
      profile: profileIn(options.profile, { language: options.language, code: code.toUpperCase() }),
      isFirstHand: !options.relayed,
      acknowledges: acknowledging(options.acknowledge),
      keyKind: keyKind(options.key),
    })
    shell.tell(
      `Channel ${channel.name} is open at POST /v2/inbound/${channel.name}. Its key, shown only now:`,
    )
    shell.print(key)
    return 0
  },
})

export const channelsList = command({
  name: 'channels list',
  summary: 'Show the ways in through which others send',
  options: { json: { type: 'boolean', about: 'print JSON' } },
  run: async ({ options, shell }) => {
    const channels = await listChannels(await shell.openService())
    if (options.json) {
      shell.print(JSON.stringify(channels, null, 2))
      return 0
    }
    for (const channel of channels) {
      const to = channel.accountId === null ? 'the whole installation' : `account ${channel.accountId}`
      const state = channel.isEnabled ? 'open' : 'closed'
      const hand = channel.isFirstHand ? '' : ', relayed'
      shell.print(
        `${channel.name}  ${state}  ${channel.speakerKind}:${channel.speakerCode}${hand}  ${channel.source}  to ${to}`,
      )
    }
    return 0
  },
})

export const channelsKey = command({
  name: 'channels key',
  summary: 'Give a channel a new key',
  about:
    'The new key is printed once. Those before it count on for the overlap, so that nothing is refused meanwhile.',
  operands: [{ name: 'name', about: 'of the channel' }],
  options: {
    key: keyOption,
    overlap: { type: 'string', value: '<hours>', about: 'how long older keys count; 24 when left out' },
  },
  examples: ['channels key hapag-events', 'channels key hapag-events --overlap 0'],
  run: async ({ operands, options, shell }) => {
    const overlapHours = Number(options.overlap ?? '24')
    if (!Number.isInteger(overlapHours) || overlapHours < 0 || overlapHours > 8_760)
      throw new UsageError('The overlap is a whole number of hours, a year at most.')
    const service = await shell.openService()
    const name = operands[0] ?? ''
    shell.print(await rotateChannelKey(service, { name, kind: keyKind(options.key), overlapHours }))
    return 0
  },
})

export const channelsChange = command({
  name: 'channels change',
  summary: 'Close or open a channel, or change what it is read with',
  about:
    'A new profile counts for what comes from then on; what waits unmapped is read with it by POST /v2/inbound_messages/<id>/replay.',
  operands: [{ name: 'name', about: 'of the channel' }],
  options: {
    open: { type: 'boolean', about: 'it takes deliveries again' },
    close: { type: 'boolean', about: 'it answers like a channel that is not there' },
    profile: { type: 'string', value: '<file.json>', about: "the partner's own codes and habits" },
  },
  examples: ['channels change pier-400 --profile pier-400.json', 'channels change pier-400 --close'],
  run: async ({ operands, options, shell }) => {
    if (options.open && options.close) throw new UsageError('It is opened or closed, not both.')
    const service = await shell.openService()
    const { source, speakerCode } = await getChannel(service, operands[0] ?? '')
    const channel = await changeChannel(service, {
      name: operands[0] ?? '',
      ...(options.open || options.close ? { isEnabled: options.open } : {}),
      ...(options.profile === null
        ? {}
        : { profile: profileIn(options.profile, { language: source, code: speakerCode }) }),
    })
    shell.print(`Channel ${channel.name} is ${channel.isEnabled ? 'open' : 'closed'}.`)
    return 0
  },
})

function acknowledging(given: string | null): Acknowledging {
  if (given === null) return 'off'
  if (isOneOf(acknowledgings, given)) return given
  throw new UsageError(`${given} is none of ${acknowledgings.join(', ')}.`)
}

function keyKind(given: string | null): KeyKind {
  if (given === null || given === 'bearer' || given === 'hmac') return given ?? 'bearer'
  throw new UsageError(`${given} is no kind of key; it is bearer or hmac.`)
}

/** DCSA is read as its line writes it. */
function profileIn(
  file: string | null,
  { language, code }: { readonly language: string; readonly code: string },
): Readonly<Record<string, unknown>> {
  const own = language === 'dcsa' ? { scac: code } : {}
  if (file === null) return own
  let value: unknown
  try {
    value = JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    throw new UsageError(`${file} is not there, or is not JSON.`)
  }
  if (!isObject(value)) throw new UsageError(`${file} must be a JSON object.`)
  return { ...own, ...value }
}
