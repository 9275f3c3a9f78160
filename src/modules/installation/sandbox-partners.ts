/**
 * The sandbox's partners that send by themselves, as channels of the first simulated account. Their keys are made once
 * and stored encrypted. The sandbox gets them each time that it starts, because it remembers nothing.
 */

import { ensureSetting, readSetting } from '../../db/settings.ts'
import type { SourceKind } from '../../domain/statements/observation.ts'
import type { JsonObject } from '../../domain/values/json-value.ts'
import { createChannel, rotateChannelKey } from '../channels/channels.ts'
import { findInboundChannel } from '../channels/inbound-channels-sql.ts'
import type { Service } from '../service.ts'
import { getInboundUrl } from './sandbox-facilities.ts'

interface Partner {
  readonly channel: string
  readonly speaker: string
  readonly language: string
  readonly profile: JsonObject
}

/** Resolves to a function that gives the sandbox the keys again after it was restarted. */
export async function installSandboxPartners(
  service: Service,
  of: { readonly url: string; readonly accountId: string },
): Promise<() => Promise<void>> {
  const address = `${of.url}/sandbox/partners`
  const partners = await fetchPartners(service, address)
  const keys: Record<string, string> = {}
  for (const partner of partners) keys[partner.channel] = await ensurePartnerKey(service, of.accountId, partner)
  const sendKeys = async (): Promise<void> => {
    const body = JSON.stringify({ inbound: getInboundUrl(service), keys })
    await service
      .carrierEgress(true)
      .request({ url: address, method: 'POST', body, timeoutMs: 10_000, maxBytes: 100_000 })
  }
  await sendKeys()
  return sendKeys
}

async function fetchPartners(service: Service, url: string): Promise<readonly Partner[]> {
  const answer = await service.carrierEgress(true).request({ url, timeoutMs: 10_000, maxBytes: 1_000_000 })
  if (answer.kind !== 'answer' || answer.status !== 200) return []
  return JSON.parse(answer.body.toString('utf8')) as readonly Partner[]
}

const keySettingName = (channel: string): string => `sandbox_key:${channel}`

async function ensurePartnerKey(service: Service, accountId: string, partner: Partner): Promise<string> {
  const { encryption, pool } = service
  const { channel: name, speaker, language: source, profile } = partner
  const stored = await readSetting<{ readonly sealed: string }>(pool, keySettingName(name))
  if (stored !== null) return encryption.decrypt(Buffer.from(stored.sealed, 'base64'))
  const [kind = '', code = ''] = speaker.split(':')
  const isThere = (await findInboundChannel(pool, name)) !== null
  const key = isThere
    ? // An earlier start stopped before it stored the key.
      await rotateChannelKey(service, { name, kind: 'bearer', overlapHours: 0 })
    : (
        await createChannel(service, {
          name,
          account: { id: accountId, isSandbox: true },
          speaker: { kind: kind as SourceKind, code },
          source,
          profile,
          isFirstHand: true,
          keyKind: 'bearer',
        })
      ).key
  await ensureSetting(pool, keySettingName(name), { sealed: encryption.encrypt(key).toString('base64') })
  return key
}
