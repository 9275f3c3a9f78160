/** `npm run qa -- fuzz`: sends hostile requests to every operation of the API, for a given time. */

import { parseArgs } from 'node:util'
import { plantNames, plants } from '../test/support/plants.ts'
import { openWorld } from '../test/support/world.ts'
import { fuzzRedirects } from './fuzz/redirects.ts'
import { fuzz, writeCurl } from './fuzz/run.ts'

const help = `Usage: npm run qa -- fuzz [--seed 1] [--seconds 60] [--requests 20000] [--operation <operationId>,…] [--plant ${plantNames.join('|')}]

Invents requests from the OpenAPI document and asks the real router over a throw-away database; nothing but loopback.
Fails for a 5xx, a status or a body that is not documented, a word of the inside, another account's things, an answer
after more than ten seconds, and a documented status that no named test has seen (test/observed-statuses.json, written
by \`npm test -- --record\`). The same seed invents the same requests. Without --operation, sign-in and the choice of an
account are then asked to lead somewhere else: one such request for every ten of the others.
  --plant  adds a fault that the run must find
Exits with 0 when nothing was found, 1 when something was, 2 when it could not be run.`

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '60' },
    requests: { type: 'string', default: '20000' },
    operation: { type: 'string' },
    plant: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
const plant = plantNames.find((each) => each === values.plant)
const [seed, seconds, requestsMax] = [values.seed, values.seconds, values.requests].map(Number)
if (values.help || (values.plant !== undefined && plant === undefined) || !seed || !seconds || !requestsMax) {
  console.log(help)
  process.exit(values.help ? 0 : 2)
}

const world = await openWorld(plant === undefined ? {} : { plant: plants[plant] })
try {
  const operation = values.operation ?? null
  const report = await fuzz(world, { seed, seconds, requestsMax, operation })
  const counts = Object.entries(report.statuses).map(([status, count]) => `${count} ${status}`)
  console.log(
    `${report.requests} requests, seed ${seed}: ${counts.join(', ')}; the slowest took ${report.slowestMs} ms.`,
  )
  for (const { what, request } of report.faults) console.log(`\n✖ ${what}\n  ${writeCurl(request)}`)
  if (report.faults.length > 0)
    console.log(`\nAgain: npm run qa -- fuzz --seed ${seed}${operation === null ? '' : ` --operation ${operation}`}`)
  for (const each of report.unobserved) console.log(`✖ ${each} is documented, and no test has seen it.`)
  if (report.changed !== null) console.log(`✖ ${report.changed}`)
  const redirects =
    operation === null
      ? await fuzzRedirects(world.api, { seed, requestsMax: Math.ceil(report.requests / 10) })
      : { requests: 0, faults: [] }
  if (operation === null) console.log(`${redirects.requests} return addresses.`)
  for (const fault of redirects.faults) console.log(`✖ ${fault}`)
  const faults = [...report.faults, ...report.unobserved, ...redirects.faults]
  const isClean = faults.length === 0 && report.changed === null
  console.log(isClean ? 'Nothing found.' : 'NOT clean.')
  process.exitCode = isClean && report.requests > 0 ? 0 : 1
} finally {
  await world.close()
}
