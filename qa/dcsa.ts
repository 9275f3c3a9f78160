/**
 * `npm run qa -- dcsa`: proves that what we serve as DCSA Track & Trace 2.2 says the same as what we were told. See
 * `dcsa/loop.ts`.
 */

import { parseArgs } from 'node:util'
import { closeLoop } from './dcsa/loop.ts'

const help = `Usage: npm run qa -- dcsa [--journeys 1000] [--days 30] [--seed 1]

Nothing but loopback and a database of its own. So many shipments of the sandbox are tracked, by lines, terminals, railways
and partners that speak DCSA, EDI, lists and pages. Then another account asks our own DCSA outlet for the same numbers, and
reads the answers with our own DCSA source. Each move that the standard can say must be the same in both: what, when, where,
by which ship and voyage. It also counts what the standard cannot say. Exits with 0 when all are the same, 1 when not.`

const { values } = parseArgs({
  options: {
    journeys: { type: 'string', default: '1000' },
    days: { type: 'string', default: '30' },
    seed: { type: 'string', default: '1' },
    help: { type: 'boolean', default: false },
  },
})
const [journeys = 0, days = 0, seed = 0] = [values.journeys, values.days, values.seed].map(Number)
if (values.help || ![journeys, days, seed].every((each) => Number.isInteger(each) && each > 0)) {
  console.log(help)
  process.exit(values.help ? 0 : 2)
}

const startedMs = Date.now()
const say = (sentence: string): void =>
  console.log(`${((Date.now() - startedMs) / 1_000).toFixed(0).padStart(4)} s  ${sentence}`)

// A world has some hundreds of shipments under way at a time.
let different = 0
let [closed, moves] = [0, 0]
const unsayable = new Map<string, number>()
for (let world = seed; closed < journeys; world += 1) {
  say(`world ${world}`)
  const loop = await closeLoop({ journeys: journeys - closed, seed: world, days, stepDays: 5, say })
  closed += loop.shipments
  moves += loop.moves
  different += loop.differences.length
  for (const [why, count] of Object.entries(loop.unsayable)) unsayable.set(why, (unsayable.get(why) ?? 0) + count)
  for (const each of loop.differences.slice(0, 12)) say(`  ${each}`)
  say(`${closed} of ${journeys} shipments: ${moves} moves are the same, ${different} are not`)
}
for (const [why, count] of [...unsayable].toSorted((a, b) => b[1] - a[1])) say(`not said, ${count} times: ${why}`)
say(different === 0 ? 'The loop is closed.' : 'The loop is NOT closed: see above.')
process.exit(different === 0 ? 0 : 1)
