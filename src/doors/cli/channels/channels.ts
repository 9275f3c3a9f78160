/** `landfall channels`: lets the operator manage channels, through which others send unasked, and their keys. */

import { join } from 'node:path'
import { sourceKinds } from '../../../core/statements/observation.ts'
import { isOneOf } from '../../../core/values/codes.ts'
import { type AskingInput, listAskings } from '../../../service/hearing/intake/asked-channel.ts'
import {
  changeChannel,
  createChannel,
  getChannel,
  type KeyKind,
  listChannels,
  rotateChannelKey,
} from '../../../service/hearing/intake/channels.ts'
import { inboundFolder } from '../../../service/hearing/intake/watch-folders.ts'
import type { Description } from '../../../sources/facility/description.ts'
import { sentSourceNames } from '../../../sources/told-registry.ts'
import { type Acknowledging, acknowledgings } from '../../../store/channels/channels.ts'
import { accountNamed, accountOption } from '../access/account-named.ts'
import { command, UsageError } from '../frame/command.ts'
import { askedInWords, askingIn, askingOption, objectIn } from './channels-asking.ts'
import { descriptionIn, facilityAsking, facilityLanguage, unsetIn } from './channels-facility.ts'

const folderOption = {
  type: 'string',
  value: '<name>',
  about: 'what is laid into this folder below LANDFALL_INBOUND_FOLDER comes through it as well',
} as const

const keyOption = {
  type: 'string',
  value: '<bearer|hmac>',
  about: 'how a sender proves itself: by a key that it sends, or by signing the body; bearer when left out',
} as const

const profileOption = {
  type: 'string',
  value: '<file.json|name>',
  about: "the partner's own codes and habits; of a facility its description, one that is shipped by its name",
} as const

const creatingOptions = {
  'creates-requests': {
    type: 'boolean',
    about: 'what its account does not know becomes a tracking request of it',
  },
  'creates-per-day': {
    type: 'string',
    value: '<number>',
    about: 'so many requests in any 24 hours, the others wait; 1000 when left out',
  },
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
      about:
        'who speaks: shipping_line:HLCU, terminal:Y258, rail:BNSF; a description of a facility says it too',
    },
    language: {
      type: 'string',
      value: `<${sentSourceNames.join('|')}>`,
      about: 'in which it speaks',
      isRequired: true,
    },
    account: accountOption,
    installation: { type: 'boolean', about: 'it speaks to all accounts, and reaches each by its documents' },
    relayed: { type: 'boolean', about: 'it passes on what others said: first hand is believed before it' },
    profile: profileOption,
    acknowledge: {
      type: 'string',
      value: `<${acknowledgings.join('|')}>`,
      about: 'what is answered to an interchange; off when left out',
    },
    folder: folderOption,
    key: keyOption,
    asking: askingOption,
    ...creatingOptions,
  },
  examples: [
    'channels create hapag-events --speaker shipping_line:HLCU --language dcsa --account "Example Imports"',
    'channels create pier-400 --speaker terminal:W185 --language x12 --installation --profile pier-400.json',
    'channels create notices --speaker shipping_line:HLCU --language arrival_notice --account "Example Imports" --profile hapag.json --asking hapag-asking.json',
    'channels create lbct --language facility --profile lbct --account "Example Imports" --asking lbct-secrets.json',
    'channels create van --speaker rail:BNSF --language x12 --installation --folder van --acknowledge 997',
  ],
  run: async ({ operands, options, shell }) => {
    const facility = options.language === facilityLanguage ? descriptionIn(options.profile) : null
    const [kind, code = ''] = (options.speaker ?? facility?.speaker ?? '').split(':')
    if (!isOneOf(sourceKinds, kind) || kind === 'ais' || kind === 'user' || kind === 'document')
      throw new UsageError('The speaker is shipping_line:<SCAC>, terminal:<FIRMS or SMDG> or rail:<SCAC>.')
    const service = await shell.openService()
    const account = options.installation ? null : (await accountNamed(service, options.account)).account
    const { channel, key } = await createChannel(service, {
      name: operands[0] ?? '',
      account,
      speaker: { kind, code: code.toUpperCase() },
      source: options.language,
      profile:
        facility?.answer ??
        profileIn(options.profile, { language: options.language, code: code.toUpperCase() }),
      isFirstHand: !options.relayed,
      acknowledges: acknowledging(options.acknowledge),
      keyKind: keyKind(options.key),
      createsRequests: options['creates-requests'],
      ...perDay(options['creates-per-day']),
      folder: options.folder,
      asking: facility === null ? askingIn(options.asking) : askingOf(facility, options.asking),
    })
    shell.tell(
      `Channel ${channel.name} is open at POST /v2/inbound/${channel.name}. Its key, shown only now:`,
    )
    if (channel.folder !== null)
      shell.tell(`Workers take files from ${join(inboundFolder(service.config), channel.folder)} as well.`)
    shell.print(key)
    return 0
  },
})

export const channelsList = command({
  name: 'channels list',
  summary: 'Show the ways in through which others send',
  options: { json: { type: 'boolean', about: 'print JSON' } },
  run: async ({ options, shell }) => {
    const service = await shell.openService()
    const channels = await listChannels(service)
    const askings = await listAskings(service)
    if (options.json) {
      const whole = channels.map((channel) => ({ ...channel, asking: askings.get(channel.id) ?? null }))
      shell.print(JSON.stringify(whole, null, 2))
      return 0
    }
    for (const channel of channels) {
      const to = channel.accountId === null ? 'the whole installation' : `account ${channel.accountId}`
      const state = channel.isEnabled ? 'open' : 'closed'
      const hand = channel.isFirstHand ? '' : ', relayed'
      const creates = channel.createsRequests ? `, makes up to ${channel.createsPerDay} requests a day` : ''
      const folder = channel.folder === null ? '' : `  folder ${channel.folder}`
      shell.print(
        `${channel.name}  ${state}  ${channel.speakerKind}:${channel.speakerCode}${hand}  ${channel.source}  to ${to}${creates}${folder}${askedInWords(askings.get(channel.id))}`,
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
    'A new profile counts for what comes from then on; what waits unmapped is read with it by POST /v2/inbound_messages/<id>/replay, or by channels replay.',
  operands: [{ name: 'name', about: 'of the channel' }],
  options: {
    open: { type: 'boolean', about: 'it takes deliveries again' },
    close: { type: 'boolean', about: 'it answers like a channel that is not there' },
    profile: profileOption,
    ...creatingOptions,
    'creates-no-requests': { type: 'boolean', about: 'what its account does not know waits' },
    folder: folderOption,
    'no-folder': { type: 'boolean', about: 'no files are taken any more' },
    asking: askingOption,
    'not-asked': { type: 'boolean', about: 'it is told alone from now on, and its secrets are forgotten' },
  },
  examples: ['channels change pier-400 --profile pier-400.json', 'channels change pier-400 --close'],
  run: async ({ operands, options, shell }) => {
    const creates = options['creates-requests']
    if (creates && options['creates-no-requests'])
      throw new UsageError('It makes requests or makes none, not both.')
    if (options.folder !== null && options['no-folder'])
      throw new UsageError('It has a folder or none, not both.')
    if (options.asking !== null && options['not-asked'])
      throw new UsageError('It is asked or told alone, not both.')
    if (options.open && options.close) throw new UsageError('It is opened or closed, not both.')
    const service = await shell.openService()
    const { source, speakerCode } = await getChannel(service, operands[0] ?? '')
    const isFacility = source === facilityLanguage && (options.profile !== null || options.asking !== null)
    const facility = isFacility ? descriptionIn(options.profile) : null
    const channel = await changeChannel(service, {
      name: operands[0] ?? '',
      ...(options.open || options.close ? { isEnabled: options.open } : {}),
      ...(creates || options['creates-no-requests'] ? { createsRequests: creates } : {}),
      ...perDay(options['creates-per-day']),
      ...(options.folder !== null || options['no-folder'] ? { folder: options.folder } : {}),
      ...(options.asking !== null || options['not-asked']
        ? { asking: facility === null ? askingIn(options.asking) : askingOf(facility, options.asking) }
        : {}),
      ...(options.profile === null
        ? {}
        : {
            profile: facility?.answer ?? profileIn(options.profile, { language: source, code: speakerCode }),
          }),
    })
    shell.print(`Channel ${channel.name} is ${channel.isEnabled ? 'open' : 'closed'}.`)
    return 0
  },
})

function askingOf(facility: Description, file: string | null): AskingInput | null {
  const asking = facilityAsking(facility, askingIn(file, {}))
  const unset = asking === null ? [] : unsetIn({ ...facility, asking: asking.profile })
  if (unset.length === 0) return asking
  throw new UsageError(`The facility gives its customers what has to be put in first: ${unset.join(', ')}.`)
}

function perDay(given: string | null): { readonly createsPerDay?: number } {
  return given === null ? {} : { createsPerDay: Number(given) }
}

function acknowledging(given: string | null): Acknowledging {
  if (given === null) return 'off'
  if (isOneOf(acknowledgings, given)) return given
  throw new UsageError(`${given} is none of ${acknowledgings.join(', ')}.`)
}

function keyKind(given: string | null): KeyKind {
  if (given === null || given === 'bearer' || given === 'hmac') return given ?? 'bearer'
  throw new UsageError(`${given} is no kind of key; it is bearer or hmac.`)
}

/**
 * The profile of a DCSA channel or an arrival notice names the line, because these are read as that line writes them.
 */
function profileIn(
  file: string | null,
  { language, code }: { readonly language: string; readonly code: string },
): Readonly<Record<string, unknown>> {
  const own = language === 'dcsa' || language === 'arrival_notice' ? { scac: code } : {}
  return file === null ? own : { ...own, ...objectIn(file) }
}
