/** Which feeds this installation listens to: those that its settings name, and for fiction those of the sandbox. */

import type { Config } from '../../../platform/config.ts'
import { openAisStream } from '../../../sources/ais/aisstream-feed.ts'
import { wholeWorld } from '../../../sources/ais/aisstream-message.ts'
import type { AisFeed } from '../../../sources/ais/feed.ts'
import { openNmeaFeed } from '../../../sources/ais/nmea-feed.ts'

/** Real ships, or the ships of the sandbox. Positions of the two are never mixed. */
export interface World {
  readonly isFiction: boolean
  readonly feeds: readonly AisFeed[]
}

/** `sandboxUrl`: where the sandbox answers; null when it is off. A world without feeds is left out. */
export function worldsOf(config: Config, sandboxUrl: string | null): readonly World[] {
  return [
    { isFiction: false, feeds: realFeeds(config) },
    { isFiction: true, feeds: sandboxUrl === null ? [] : sandboxFeeds(config, sandboxUrl) },
  ].filter(({ feeds }) => feeds.length > 0)
}

function realFeeds({ positions }: Config): readonly AisFeed[] {
  const { aisStreamKey, aisStreamUrl, boxes, nmea } = positions
  const stream =
    aisStreamKey === null
      ? []
      : [
          openAisStream({
            url: aisStreamUrl,
            apiKey: aisStreamKey,
            boxes: boxes.length === 0 ? [wholeWorld] : boxes,
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
    boxes: [wholeWorld],
    mmsi: [],
    patience,
    idleMs: 3_600_000,
  })
  if (sandbox.aisPort === 0) return [stream]
  const { hostname } = new URL(url)
  return [stream, openNmeaFeed({ host: hostname, port: sandbox.aisPort, patience, idleMs: 3_600_000 })]
}
