/** `landfall channels`: lets the operator manage channels, through which partners send, and their keys. */

import { join } from 'node:path'
import { pushedSourceNames } from '../../connectors/pushed-source-registry.ts'
import type { Description } from '../../connectors/terminal-api/description.ts'
import { sourceKinds } from '../../domain/statements/observation.ts'
import { isOneOf } from '../../domain/values/codes.ts'
import {
  changeChannel,
  createChannel,
  getChannel,
  type KeyKind,
  listChannels,
  rotateChannelKey,
} from '../../modules/channels/channels.ts'
import { type AcknowledgementType, acknowledgings } from '../../modules/channels/inbound-channels-sql.ts'
import { listPollStates, type PollConfigInput } from '../../modules/channels/poll-config.ts'
import type { PollState } from '../../modules/channels/polled-channels-sql.ts'
import { inboundFolder } from '../../pipeline/ingestion/watch-folders.ts'
import { accountOption, findAccountContext } from '../access/account-named.ts'
import { defineCommand, UsageError } from '../framework/command.ts'
import { facilityLanguage, findUnsetSettings, mergePollSettings, readFacilityDescription } from './channels-facility.ts'
import { describePolling, pollOption, readJsonObject, readPollSettings } from './channels-polling.ts'

const folderOption = {
  type: 'string',
  value: '<name>',
  about: 'the channel also reads the files in this folder below LANDFALL_INBOUND_FOLDER',
} as const

const keyOption = {
  type: 'string',
  value: '<bearer|hmac>',
  about:
    'how the sender proves who it is: it sends a key (bearer), or it signs the body (hmac); if it is missing, bearer',
} as const

const profileOption = {
  type: 'string',
  value: '<file.json|name>',
  about: "the partner's own codes; for a facility its description, or the name of a description that Landfall contains",
} as const

const creatingOptions = {
  'creates-requests': {
    type: 'boolean',
    about: 'a number that its account does not know becomes a tracking request',
  },
  'creates-per-day': {
    type: 'string',
    value: '<number>',
    about: 'maximum number of requests in any 24 hours, further ones wait; if it is missing, 1000',
  },
} as const

export const channelsCreate = defineCommand({
  about:
    'The key is printed once, on standard output. Deliveries go to POST /v2/inbound/<name>. The sender is set here and never read from a message.',
  operands: [{ name: 'name', about: 'small letters, digits and hyphens; it is a part of the URL' }],
  options: {
    speaker: {
      type: 'string',
      value: '<kind:code>',
      about:
        'the sender: shipping_line:HLCU, terminal:Y258, rail:BNSF; not needed if the description of a facility names it',
    },
    language: {
      type: 'string',
      value: `<${pushedSourceNames.join('|')}>`,
      about: 'language of its messages',
      isRequired: true,
    },
    account: accountOption,
    installation: {
      type: 'boolean',
      about: 'it sends for all accounts; each account gets what is about its shipments',
    },
    relayed: {
      type: 'boolean',
      about: 'it passes on statements of others; a statement of the source itself is believed first',
    },
    profile: profileOption,
    acknowledge: {
      type: 'string',
      value: `<${acknowledgings.join('|')}>`,
      about: 'the acknowledgement of an interchange; if it is missing, off',
    },
    folder: folderOption,
    key: keyOption,
    asking: pollOption,
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
    const facility = options.language === facilityLanguage ? readFacilityDescription(options.profile) : null
    const [kind, code = ''] = (options.speaker ?? facility?.speaker ?? '').split(':')
    if (!isOneOf(sourceKinds, kind) || kind === 'ais' || kind === 'user' || kind === 'document')
      throw new UsageError('The speaker must be shipping_line:<SCAC>, terminal:<FIRMS or SMDG> or rail:<SCAC>.')
    const service = await shell.openService()
    const account = options.installation ? null : (await findAccountContext(service, options.account)).account
    const { channel, key } = await createChannel(service, {
      name: operands[0] ?? '',
      account,
      speaker: { kind, code: code.toUpperCase() },
      source: options.language,
      profile: facility?.answer ?? profileIn(options.profile, { language: options.language, code: code.toUpperCase() }),
      isFirstHand: !options.relayed,
      acknowledges: readAcknowledging(options.acknowledge),
      keyKind: parseKeyKind(options.key),
      createsRequests: options['creates-requests'],
      ...parseCreatesPerDay(options['creates-per-day']),
      folder: options.folder,
      pollConfig: facility === null ? readPollSettings(options.asking) : readFacilityPolling(facility, options.asking),
    })
    shell.log(`Channel ${channel.name} is open at POST /v2/inbound/${channel.name}. Its key, shown only now:`)
    if (channel.folder !== null)
      shell.log(`Workers also read files from ${join(inboundFolder(service.config), channel.folder)}.`)
    shell.print(key)
    return 0
  },
})

/** For programs: the names stay as they were first. */
function writePollState(state: PollState | undefined) {
  if (state === undefined) return null
  const { pollNumberKinds: asksBy, cooldownUntil: leftAloneUntil, ...rest } = state
  return { asksBy, leftAloneUntil, ...rest }
}

export const channelsList = defineCommand({
  options: { json: { type: 'boolean', about: 'print JSON' } },
  run: async ({ options, shell }) => {
    const service = await shell.openService()
    const channels = await listChannels(service)
    const askings = await listPollStates(service)
    if (options.json) {
      const whole = channels.map(({ isSandbox: isFiction, ...channel }) => ({
        ...channel,
        isFiction,
        asking: writePollState(askings.get(channel.id)),
      }))
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
        `${channel.name}  ${state}  ${channel.speakerKind}:${channel.speakerCode}${hand}  ${channel.source}  to ${to}${creates}${folder}${describePolling(askings.get(channel.id))}`,
      )
    }
    return 0
  },
})

export const channelsKey = defineCommand({
  about:
    'The new key is printed once. Older keys stay valid for the overlap, so that no delivery is refused in the meantime.',
  operands: [{ name: 'name', about: 'of the channel' }],
  options: {
    key: keyOption,
    overlap: {
      type: 'string',
      value: '<hours>',
      about: 'how long older keys stay valid; if it is missing, 24',
    },
  },
  examples: ['channels key hapag-events', 'channels key hapag-events --overlap 0'],
  run: async ({ operands, options, shell }) => {
    const overlapHours = Number(options.overlap ?? '24')
    if (!Number.isInteger(overlapHours) || overlapHours < 0 || overlapHours > 8_760)
      throw new UsageError('The overlap must be a whole number of hours, at most a year.')
    const service = await shell.openService()
    const name = operands[0] ?? ''
    shell.print(await rotateChannelKey(service, { name, kind: parseKeyKind(options.key), overlapHours }))
    return 0
  },
})

export const channelsChange = defineCommand({
  about:
    'A new profile is used for messages that come later. To read an earlier unmapped message with it, use POST /v2/inbound_messages/<id>/replay or channels replay.',
  operands: [{ name: 'name', about: 'of the channel' }],
  options: {
    open: { type: 'boolean', about: 'it accepts deliveries again' },
    close: { type: 'boolean', about: 'it answers like a channel that does not exist' },
    profile: profileOption,
    ...creatingOptions,
    'creates-no-requests': { type: 'boolean', about: 'a number that its account does not know waits' },
    folder: folderOption,
    'no-folder': { type: 'boolean', about: 'files in the folder are no longer read' },
    asking: pollOption,
    'not-asked': { type: 'boolean', about: 'Landfall no longer polls it, and its secrets are deleted' },
  },
  examples: ['channels change pier-400 --profile pier-400.json', 'channels change pier-400 --close'],
  run: async ({ operands, options, shell }) => {
    const creates = options['creates-requests']
    if (creates && options['creates-no-requests'])
      throw new UsageError('--creates-requests and --creates-no-requests exclude each other.')
    if (options.folder !== null && options['no-folder'])
      throw new UsageError('--folder and --no-folder exclude each other.')
    if (options.asking !== null && options['not-asked'])
      throw new UsageError('--asking and --not-asked exclude each other.')
    if (options.open && options.close) throw new UsageError('--open and --close exclude each other.')
    const service = await shell.openService()
    const { source, speakerCode } = await getChannel(service, operands[0] ?? '')
    const isFacility = source === facilityLanguage && (options.profile !== null || options.asking !== null)
    const facility = isFacility ? readFacilityDescription(options.profile) : null
    const channel = await changeChannel(service, {
      name: operands[0] ?? '',
      ...(options.open || options.close ? { isEnabled: options.open } : {}),
      ...(creates || options['creates-no-requests'] ? { createsRequests: creates } : {}),
      ...parseCreatesPerDay(options['creates-per-day']),
      ...(options.folder !== null || options['no-folder'] ? { folder: options.folder } : {}),
      ...(options.asking !== null || options['not-asked']
        ? {
            pollConfig:
              facility === null ? readPollSettings(options.asking) : readFacilityPolling(facility, options.asking),
          }
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

function readFacilityPolling(facility: Description, file: string | null): PollConfigInput | null {
  const pollSettings = mergePollSettings(facility, readPollSettings(file, {}))
  const unset = pollSettings === null ? [] : findUnsetSettings({ ...facility, asking: pollSettings.profile })
  if (unset.length === 0) return pollSettings
  throw new UsageError(`First set in the file the values that the facility gave you: ${unset.join(', ')}.`)
}

function parseCreatesPerDay(given: string | null): { readonly createsPerDay?: number } {
  return given === null ? {} : { createsPerDay: Number(given) }
}

function readAcknowledging(given: string | null): AcknowledgementType {
  if (given === null) return 'off'
  if (isOneOf(acknowledgings, given)) return given
  throw new UsageError(`${given} is not an acknowledgement. Give one of ${acknowledgings.join(', ')}.`)
}

function parseKeyKind(given: string | null): KeyKind {
  if (given === null || given === 'bearer' || given === 'hmac') return given ?? 'bearer'
  throw new UsageError(`${given} is not a kind of key. Give bearer or hmac.`)
}

/**
 * The profile of a DCSA channel or an arrival notice names the line, because these are read as that line writes them.
 */
function profileIn(
  file: string | null,
  { language, code }: { readonly language: string; readonly code: string },
): Readonly<Record<string, unknown>> {
  const baseProfile = language === 'dcsa' || language === 'arrival_notice' ? { scac: code } : {}
  return file === null ? baseProfile : { ...baseProfile, ...readJsonObject(file) }
}
