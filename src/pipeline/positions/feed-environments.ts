/** Which feeds this installation listens to: those that its settings name, and for the sandbox its own feeds. */

import { openAisStream } from '../../connectors/ais/aisstream-feed.ts'
import { wholeWorld } from '../../connectors/ais/aisstream-message.ts'
import { openDigitrafficFeed } from '../../connectors/ais/digitraffic-feed.ts'
import type { AisFeed } from '../../connectors/ais/feed.ts'
import { openNmeaFeed } from '../../connectors/ais/nmea-feed.ts'
import type { Config } from '../../platform/config.ts'

/** Real ships, or the ships of the sandbox. Positions of the two are never mixed. */
export interface FeedEnvironment {
  readonly isSandbox: boolean
  readonly feeds: readonly AisFeed[]
}

/** `sandboxUrl`: where the sandbox answers; null when it is off. An environment without feeds is left out. */
export function feedEnvironmentsOf(config: Config, sandboxUrl: string | null): readonly FeedEnvironment[] {
  return [
    { isSandbox: false, feeds: realFeeds(config) },
    { isSandbox: true, feeds: sandboxUrl === null ? [] : sandboxFeeds(config, sandboxUrl) },
  ].filter(({ feeds }) => feeds.length > 0)
}

function realFeeds({ positions }: Config): readonly AisFeed[] {
  const { aisStreamKey, aisStreamUrl, boxes: boundingBoxes, nmea, nmeaUdp, digitrafficUrl } = positions
  const streams = (aisStreamKey === null ? [] : aisStreamUrl.split(',')).map((url) =>
    openAisStream({
      url: url.trim(),
      apiKey: aisStreamKey ?? '',
      boundingBoxes: boundingBoxes.length === 0 ? [wholeWorld] : boundingBoxes,
      mmsi: [],
    }),
  )
  const receivers = [...nmea, ...nmeaUdp.map((from) => ({ ...from, isUdp: true }))]
  const digitraffic = digitrafficUrl === null ? [] : [openDigitrafficFeed({ url: digitrafficUrl.replace(/\/$/, '') })]
  return [...streams, ...receivers.map(openNmeaFeed), ...digitraffic]
}

/** The sandbox's days pass in seconds and its process is our own, so a connection that ends is made again at once. */
const patience = { firstMs: 500, maxMs: 5_000 }

function sandboxFeeds({ sandbox }: Config, url: string): readonly AisFeed[] {
  const stream = openAisStream({
    url: `${url.replace(/^http/, 'ws')}/sandbox/ais/v0/stream`,
    apiKey: 'sandbox',
    boundingBoxes: [wholeWorld],
    mmsi: [],
    patience,
    idleMs: 3_600_000,
  })
  if (sandbox.aisPort === 0) return [stream]
  const { hostname } = new URL(url)
  return [stream, openNmeaFeed({ host: hostname, port: sandbox.aisPort, patience, idleMs: 3_600_000 })]
}
