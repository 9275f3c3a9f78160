/** Which feeds this installation listens to: those that its settings name, and for the sandbox its own feeds. */

import { openAisStream } from '../../connectors/ais/aisstream-feed.ts'
import { wholeWorld } from '../../connectors/ais/aisstream-message.ts'
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

/** A name for each feed: its kind and, from the second of a kind on, its number. An address is for nobody to see. */
export function nameFeeds(feeds: readonly Pick<AisFeed, 'name'>[]): readonly string[] {
  return feeds.map(({ name }, place) => {
    const before = feeds.slice(0, place).filter((feed) => feed.name === name).length
    return before === 0 ? name : `${name}-${before + 1}`
  })
}

function realFeeds({ positions }: Config): readonly AisFeed[] {
  const { aisStreamKey, aisStreamUrl, boxes: boundingBoxes, nmea } = positions
  const stream =
    aisStreamKey === null
      ? []
      : [
          openAisStream({
            url: aisStreamUrl,
            apiKey: aisStreamKey,
            boundingBoxes: boundingBoxes.length === 0 ? [wholeWorld] : boundingBoxes,
            mmsi: [],
          }),
        ]
  return [...stream, ...nmea.map(openNmeaFeed)]
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
