/** `landfall connect aisstream`, `nmea` and `digitraffic`: tries a feed of ships' positions, and prints its setting. */

import type { FeedName } from '../../connectors/ais/feed.ts'
import { feedEnvironmentsOf } from '../../pipeline/positions/feed-environments.ts'
import { readConfig } from '../../platform/config.ts'
import { createEgress } from '../../platform/egress.ts'
import { type ExitCode, type Prompt, type Shell, UsageError } from '../framework/command.ts'

const waitMs = 20_000

export const feeds: Readonly<
  Record<FeedName, { readonly setting: string; readonly about: string; readonly isSecret: boolean }>
> = {
  aisstream: { setting: 'LANDFALL_AISSTREAM_KEY', about: 'API key of aisstream.io', isSecret: true },
  nmea: {
    setting: 'LANDFALL_AIS_NMEA',
    about: 'host:port of a receiver that speaks NMEA AIVDM over TCP',
    isSecret: false,
  },
  digitraffic: {
    setting: 'LANDFALL_AIS_DIGITRAFFIC',
    about: 'address of Digitraffic, https://meri.digitraffic.fi',
    isSecret: false,
  },
}

/** The value comes from the environment, or is typed. Feeds are set by settings, so nothing is stored. */
export async function connectFeed(
  name: FeedName,
  { shell, prompt }: { readonly shell: Shell; readonly prompt: Prompt | null },
): Promise<ExitCode> {
  const { setting, about, isSecret } = feeds[name]
  const value = shell.env[setting] ?? (await (isSecret ? prompt?.askSecret(about) : prompt?.ask(about)))
  if (value === undefined || value === '')
    throw new UsageError(`Set ${setting} (${about}), or call this at a terminal.`)
  const others = Object.fromEntries(Object.values(feeds).map((each) => [each.setting, undefined]))
  const config = readConfig({ ...shell.env, ...others, [setting]: value })
  const feed = feedEnvironmentsOf(config, null)[0]?.feeds[0]
  if (feed === undefined) throw new Error(`${setting} gives no feed`)
  const egress = createEgress({ allowedNetworks: config.network.allowedNetworks, allowLoopback: true })
  shell.onClose(async () => egress.close())
  const over = new AbortController()
  const timer = setTimeout(() => over.abort(), waitMs)
  let ended: string | null = null
  const hasPosition = await new Promise<boolean>((resolve) => {
    over.signal.addEventListener('abort', () => resolve(false), { once: true })
    shell.progress(`Waiting for a position from ${name} …`)
    void feed.listen({
      egress,
      now: Date.now,
      random: Math.random,
      signal: over.signal,
      ears: {
        ingest: () => resolve(true),
        count: () => {},
        note: (news) => {
          if (news.is === 'closed') ended = news.why
        },
      },
    })
  })
  clearTimeout(timer)
  over.abort()
  if (hasPosition) {
    shell.print(
      `${name} sends positions. Start Landfall with this setting to use it: ${setting}=${isSecret ? '<the key>' : value}`,
    )
    return 0
  }
  shell.print(
    `Nothing came from ${name} in ${waitMs / 1_000} s${ended === null ? '. The connection is open: the area may have no ships now' : `: ${String(ended)}`}.`,
  )
  return 1
}
