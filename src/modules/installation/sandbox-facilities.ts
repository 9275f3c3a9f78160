/**
 * The sandbox's terminals and railways as channels of the first sandbox account. They are opened from descriptions that
 * the sandbox gives, as an operator opens channels of real facilities, and are moved to the addresses where the sandbox
 * listens now.
 */

import { readDescription } from '../../connectors/terminal-api/description.ts'
import type { SourceKind } from '../../domain/statements/observation.ts'
import { isObject, type JsonObject } from '../../domain/values/json-value.ts'
import { changeChannel, createChannel, rotateChannelKey } from '../channels/channels.ts'
import { findInboundChannel } from '../channels/inbound-channels-sql.ts'
import { findPollConfig } from '../channels/polled-channels-sql.ts'
import type { Service } from '../service.ts'

interface SimulatedFacility {
  readonly channel: string
  readonly description: JsonObject
  readonly secrets: Readonly<Record<string, string>>
}

/** When the sandbox does not answer, there are no facilities. Everything else works without them. */
export async function installSandboxFacilities(
  service: Service,
  of: { readonly url: string; readonly accountId: string },
): Promise<void> {
  const inbound = getInboundUrl(service)
  for (const played of await fetchFacilities(
    service,
    `${of.url}/sandbox/facilities?inbound=${encodeURIComponent(inbound)}`,
  ))
    await installOne(service, of.accountId, played)
}

/** The address at which the sandbox delivers messages: on this machine, even if other machines may reach it too. */
export function getInboundUrl({ config }: Service): string {
  const { host, port } = config.server
  const name = isWildcardAddress(host) ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}/v2/inbound`
}

function isWildcardAddress(host: string): boolean {
  return host === '0.0.0.0' || host === '::'
}

async function fetchFacilities(service: Service, url: string): Promise<readonly SimulatedFacility[]> {
  const answer = await service.carrierEgress(true).request({ url, timeoutMs: 10_000, maxBytes: 2_000_000 })
  if (answer.kind !== 'answer' || answer.status !== 200) return []
  return JSON.parse(answer.body.toString('utf8')) as readonly SimulatedFacility[]
}

async function installOne(service: Service, accountId: string, played: SimulatedFacility): Promise<void> {
  const { channel: name } = played
  const read = readDescription(played.description)
  if (!read.ok) throw new Error(`the description of ${name} from the sandbox cannot be read: ${read.reason}`)
  const { answer: profile, asking: pollProfile = {}, speaker = '' } = read.value
  const existing = await findInboundChannel(service.pool, name)
  const [kind = '', code = ''] = speaker.split(':')
  if (existing === null) {
    const { key } = await createChannel(service, {
      name,
      account: { id: accountId, isSandbox: true },
      speaker: { kind: kind as SourceKind, code },
      source: 'facility',
      profile,
      isFirstHand: true,
      keyKind: 'bearer',
    })
    // The key with which a subscribed facility delivers exists only now.
    await changeChannel(service, {
      name,
      pollConfig: { profile: pollProfile, secrets: { ...played.secrets, channelKey: key } },
    })
    return
  }
  const before = await findPollConfig(service.pool, existing.id)
  if (before === null) {
    // An earlier start stopped between the two steps, so nobody knows the channel's key.
    const channelKey = await rotateChannelKey(service, { name, kind: 'bearer', overlapHours: 0 })
    await changeChannel(service, {
      name,
      profile,
      pollConfig: { profile: pollProfile, secrets: { ...played.secrets, channelKey } },
    })
  } else if (existing.isEnabled && !isWithin(pollProfile, before.profile)) {
    await changeChannel(service, { name, profile, pollConfig: { profile: pollProfile } })
  }
}

/** Whether everything in `one` is also in `other`, which may contain more. */
function isWithin(one: unknown, other: unknown): boolean {
  if (isObject(one) && isObject(other))
    return Object.entries(one).every(([name, value]) => isWithin(value, other[name]))
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((value, place) => isWithin(value, other[place]))
  return one === other
}
