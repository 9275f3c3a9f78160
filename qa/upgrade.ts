/**
 * `npm run qa -- upgrade`: upgrades an installation of older code to this code while customers use it, and proves that
 * nothing that was accepted is lost, that no event is missing, and that nobody was refused.
 */

import { parseArgs } from 'node:util'
import { root } from '../test/e2e/program.ts'
import { tellReports } from './kill/tell-reports.ts'
import { writePhases } from './upgrade/answers.ts'
import { findOlder, openOlderTree } from './upgrade/older-tree.ts'
import { proveUpgrade } from './upgrade/prove.ts'

const help = `Usage: npm run qa -- upgrade [--from <tag or commit>] [--way rolling,restart] [--back]
                                 [--requests 400] [--seconds 5] [--seed 1] [--speed 100000] [--plant loss]

Starts an installation with the code of an older release, puts load on it (requests, edits, notes, lists, the feed, a
webhook), and upgrades it to the code in front of you. Nothing but loopback and folders of its own.
  --from      the older code; without it the last release, else a commit a hundred before this one
  --way       rolling: on a database server, migrations first, then the newer server beside the older one, which is
              stopped; restart: the older code is stopped and the newer started on the same data folder
  --back      goes back to the older code on the newer schema, and on again
  --requests  so many numbers are requested, half of them before the upgrade
  --seconds   how long each state of affairs lasts
  --speed     of the sandbox's clock: 90 days have to pass
  --plant loss  takes an event away behind the service's back: the proof must fail
Exits with 0 when nothing was lost, 1 when something was, 2 when it could not be run.`

const { values } = parseArgs({
  options: {
    from: { type: 'string' },
    way: { type: 'string', default: 'rolling,restart' },
    back: { type: 'boolean', default: false },
    requests: { type: 'string', default: '400' },
    seconds: { type: 'string', default: '5' },
    seed: { type: 'string', default: '1' },
    plant: { type: 'string' },
    speed: { type: 'string', default: '100000' },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) {
  console.log(help)
  process.exit(0)
}
if (values.plant !== undefined && values.plant !== 'loss') {
  console.error(`--plant ${values.plant} is unknown: loss.`)
  process.exit(2)
}
const startedMs = Date.now()
const say = (sentence: string): void =>
  console.log(`${((Date.now() - startedMs) / 1_000).toFixed(0).padStart(4)} s  ${sentence}`)

try {
  process.exitCode = await proveAll()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 2
}

async function proveAll(): Promise<number> {
  const older = openOlderTree(values.from ?? findOlder(100), root)
  try {
    let isWhole = true
    for (const way of values.way.split(',')) isWhole = (await proveWay(older, way)) && isWhole
    say(isWhole ? 'Nothing was lost and nobody was refused.' : 'NOT whole: see above.')
    return isWhole ? 0 : 1
  } finally {
    older.remove()
  }
}

async function proveWay(from: ReturnType<typeof openOlderTree>, way: string): Promise<boolean> {
  if (way !== 'rolling' && way !== 'restart')
    throw new Error(`--way ${way} is unknown: rolling, restart, or both with a comma.`)
  say(`${way}, from ${from.name} to this code (seed ${values.seed})`)
  const proof = await proveUpgrade({
    from: { folder: from.folder, name: 'the older' },
    to: { folder: root, name: 'the newer' },
    way,
    isBackAndForth: values.back,
    requests: Number(values.requests),
    seed: Number(values.seed),
    sandboxSpeed: Number(values.speed),
    phaseMs: Number(values.seconds) * 1_000,
    plant: values.plant === 'loss' ? 'loss' : null,
    say,
  })
  const isWhole = tellReports(proof.reports, { problemsMax: 10, say })
  for (const line of writePhases(proof.phases)) console.log(`        ${line}`)
  say(
    `${proof.migrations} migrations${way === 'rolling' ? ` in ${Math.round(proof.migrated.ms)} ms, of which they held their tables for ${Math.round(proof.migrated.heldMs)} ms` : ''}; nobody was ready for ${Math.round(proof.nobodyReadyMs)} ms in all.`,
  )
  for (const each of proof.notReady) console.log(`        not ready: ${each}`)
  return isWhole
}
