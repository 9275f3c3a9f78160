/**
 * `npm run qa -- sandbox`: proves that a complete sandbox shows what importers buy tracking for. Follows journeys of
 * its world for weeks, with terminals, railways and partners, and compares the API's answers with what really happened.
 */

import { parseArgs } from 'node:util'
import { tellReports } from './kill/tell-reports.ts'
import { checkAttributes } from './sandbox/attributes.ts'
import { checkEvents, checkReasons } from './sandbox/heard.ts'
import { liveThrough } from './sandbox/live.ts'
import { checkMuteFeed } from './sandbox/mute-feed.ts'
import { checkOverdue } from './sandbox/overdue.ts'

const help = `Usage: npm run qa -- sandbox [--journeys 1000] [--days 14] [--seed 1]

Nothing but loopback and a database of its own. So many shipments of the sandbox are tracked for so many days, half a day at
a step, with every named scenario and every fault: in as many worlds, from this seed on, as hold so many. Then of each world
  attributes  each of a container and a shipment was filled somewhere; each moment of a journey that its line told is served
              as it was told, and none that has not happened
  ashore      holds, fees, last free day, availability, yard place and appointment of each waiting box were what they truly
              were at one of its last looks, where somebody has said at which terminal it is
  events      each of the catalogue but those of documents came to a webhook
  reasons     each reason why a request can fail or wait was shown by one
Last, a running program listens to a feed of positions that is connected and mute, and must report it (some two minutes).
And of as many shipments of another world, at least 1000, of which a tenth stops for a month without a word
  overdue     9 in 10 stops are found within 24 hours after the limit, and at most 6 in 100 legs on time are called overdue
Exits with 0 when all held, 1 when something did not.`

const { values } = parseArgs({
  options: {
    journeys: { type: 'string', default: '1000' },
    days: { type: 'string', default: '14' },
    seed: { type: 'string', default: '1' },
    help: { type: 'boolean', default: false },
  },
})
const [journeys, days, seed] = [values.journeys, values.days, values.seed].map(Number) as [number, number, number]
if (values.help || ![journeys, days, seed].every((each) => Number.isInteger(each) && each > 0)) {
  console.log(help)
  process.exit(values.help ? 0 : 2)
}

const startedMs = Date.now()
const say = (sentence: string): void =>
  console.log(`${((Date.now() - startedMs) / 1_000).toFixed(0).padStart(4)} s  ${sentence}`)

// A world has some hundreds of shipments under way at a time. Worlds are run one after the other until the wanted
// number is reached.
let isWhole = true
for (let followed = 0, world = seed; followed < journeys; world += 1) {
  say(`world ${world}`)
  const lived = await liveThrough({ journeys: journeys - followed, days, seed: world, say })
  followed += lived.followed
  const reports = [lived.ashore, checkAttributes(lived), checkEvents(lived), checkReasons(lived)]
  isWhole = tellReports(reports, { problemsMax: 12, say }) && isWhole
  say(`${followed} of ${journeys} shipments were followed`)
}
isWhole = tellReports([await checkMuteFeed()], { problemsMax: 12, say }) && isWhole
isWhole =
  tellReports([checkOverdue({ seed: seed + 1, shipments: Math.max(journeys, 1_000) })], { problemsMax: 12, say }) &&
  isWhole
say(isWhole ? 'All of it held.' : 'It did NOT hold: see above.')
process.exit(isWhole ? 0 : 1)
