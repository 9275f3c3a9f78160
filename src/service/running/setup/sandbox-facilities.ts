/**
 * The sandbox's terminals and railways as channels of the first account of the fiction: opened by the descriptions that the
 * sandbox hands out, as an operator opens those of real ones, and kept at the addresses where it listens now.
 */

import { isObject, type JsonObject } from '../../../core/json-value.ts'
import type { SourceKind } from '../../../core/observation.ts'
import { readDescription } from '../../../sources/facility/description.ts'
import { findAsking } from '../../../store/asked-channels.ts'
import { findToldChannel } from '../../../store/channels.ts'
import { changeChannel, createChannel, rotateChannelKey } from '../../hearing/intake/channels.ts'
import type { Service } from '../../service.ts'

interface Played {
  readonly channel: string
  readonly description: JsonObject
  readonly secrets: Readonly<Record<string, string>>
}

/** Without an answer of the sandbox there are none: everything else works all the same. */
export async function installSandboxFacilities(
  service: Service,
  of: { readonly url: string; readonly accountId: string },
): Promise<void> {
  const inbound = inboundOf(service)
  for (const played of await askPlayed(
    service,
    `${of.url}/sandbox/facilities?inbound=${encodeURIComponent(inbound)}`,
  ))
    await installOne(service, of.accountId, played)
}

/** Where the sandbox finds the door for deliveries: on this machine, whoever else may reach it. */
export function inboundOf({ config }: Service): string {
  const { host, port } = config.server
  const name = isAnywhere(host) ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}/v2/inbound`
}

function isAnywhere(host: string): boolean {
  return host === '0.0.0.0' || host === '::'
}

async function askPlayed(service: Service, url: string): Promise<readonly Played[]> {
  const answer = await service.carrierEgress(true).request({ url, timeoutMs: 10_000, maxBytes: 2_000_000 })
  if (answer.kind !== 'answer' || answer.status !== 200) return []
  return JSON.parse(answer.body.toString('utf8')) as readonly Played[]
}

async function installOne(service: Service, accountId: string, played: Played): Promise<void> {
  const { channel: name } = played
  const read = readDescription(played.description)
  if (!read.ok) throw new Error(`the sandbox describes ${name} so that it cannot be read: ${read.reason}`)
  const { answer: profile, asking = {}, speaker = '' } = read.value
  const existing = await findToldChannel(service.pool, name)
  const [kind = '', code = ''] = speaker.split(':')
  if (existing === null) {
    const { key } = await createChannel(service, {
      name,
      account: { id: accountId, isFiction: true },
      speaker: { kind: kind as SourceKind, code },
      source: 'facility',
      profile,
      isFirstHand: true,
      keyKind: 'bearer',
    })
    // Only now is there the key with which a subscribed facility delivers.
    await changeChannel(service, {
      name,
      asking: { profile: asking, secrets: { ...played.secrets, channelKey: key } },
    })
    return
  }
  const before = await findAsking(service.pool, existing.id)
  if (before === null) {
    // A start that was broken off between the two: its key is known to nobody.
    const channelKey = await rotateChannelKey(service, { name, kind: 'bearer', overlapHours: 0 })
    await changeChannel(service, {
      name,
      profile,
      asking: { profile: asking, secrets: { ...played.secrets, channelKey } },
    })
  } else if (existing.isEnabled && !isWithin(asking, before.profile)) {
    await changeChannel(service, { name, profile, asking: { profile: asking } })
  }
}

/** Whether everything of the one stands in the other, which may say more. */
function isWithin(one: unknown, other: unknown): boolean {
  if (isObject(one) && isObject(other))
    return Object.entries(one).every(([name, value]) => isWithin(value, other[name]))
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((value, place) => isWithin(value, other[place]))
  return one === other
}
