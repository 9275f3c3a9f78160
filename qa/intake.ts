/**
 * `npm run qa -- intake`: proves that all statements enter in the same way. Journeys of the sandbox's world are sent in
 * each language and in all languages at once; the program is killed while they are sent; readers get damaged messages.
 */

import { parseArgs } from 'node:util'
import { fuzzReaders } from './intake/fuzz.ts'
import { proveKills } from './intake/kills.ts'
import { proveLaw } from './intake/law.ts'
import { ways } from './intake/sendings.ts'
import { tellReports } from './kill/tell-reports.ts'

const help = `Usage: npm run qa -- intake [--journeys 1000] [--seed 1] [--way ${ways.join('|')}] [--kills N] [--fuzz-seconds N]

Nothing but loopback and databases of its own. One of three:
  --journeys      so many journeys of the sandbox, told by each way in alone and by all at once, in shuffled order and with
                  repetitions, before they are asked for and after: each must end as what was said makes it end, and a
                  rebuild must yield the same
  --way           of these by one way only
  --kills         ends the program with kill -9 so often while messages are sent to it, and counts: what was answered with
                  202 is there and was heard once, nothing twice
  --fuzz-seconds  mutated, cut, spliced and bombed deliveries of every language for so long: no throw, bounded time for each
                  byte, no growing memory, and what is whole is kept
Exits with 0 when all held, 1 when something did not, 2 when it could not be run.`

const { values } = parseArgs({
  options: {
    journeys: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    way: { type: 'string' },
    kills: { type: 'string' },
    'fuzz-seconds': { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
const [journeys, seed] = [Number(values.journeys), Number(values.seed)]
const [kills, seconds] = [values.kills, values['fuzz-seconds']].map((each) =>
  each === undefined ? null : Number(each),
)
const way = ways.find((each) => each === values.way)
const isUnderstood =
  [journeys, seed, kills ?? 1, seconds ?? 1].every((each) => Number.isInteger(each) && each > 0) &&
  (values.way === undefined || way !== undefined)
if (values.help || !isUnderstood) {
  console.log(help)
  process.exit(values.help ? 0 : 2)
}

const startedMs = Date.now()
const say = (sentence: string): void =>
  console.log(`${((Date.now() - startedMs) / 1_000).toFixed(0).padStart(4)} s  ${sentence}`)

try {
  const reports =
    seconds != null
      ? [await fuzzReaders({ forMs: seconds * 1_000, seed, say })]
      : kills != null
        ? await proveKills({ kills, seed, say })
        : await proveLaw({ journeys, seed, say, ...(way !== undefined && { only: [way] }) })
  const isWhole = tellReports(reports, { problemsMax: 10, say })
  say(isWhole ? 'All of it held.' : 'It did NOT hold: see above.')
  process.exitCode = isWhole ? 0 : 1
} catch (error) {
  console.error(error)
  process.exitCode = 2
}
