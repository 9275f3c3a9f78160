/** `landfall migrate shadow`: tracks here what another installation tracks, so that both can be compared. */

import type { Landfall } from '../../../sdk/typescript/src/landfall.ts'
import { Refused } from '../../../sdk/typescript/src/refused.ts'
import { aboutServer, clientOf, jsonOption, urlOption } from '../client/server-client.ts'
import { tableLines } from '../client/text-table.ts'
import { defineCommand } from '../framework/command.ts'
import { createProgressReporter } from '../framework/progress-reporter.ts'
import {
  aboutOther,
  connectToOther,
  fromOption,
  keyOfRequest,
  type OtherRequest,
  readRequests,
} from './other-installation.ts'

/** Requests are made side by side, but not all at once. */
const atOnce = 5

export const migrateShadow = defineCommand({
  about: `Makes a request for each number that is tracked there and not here, with its line, references and tags. Numbers that failed
there are left out. You can run it again: it makes no second request for a number that is tracked here already.
${aboutOther}
${aboutServer}
Exits with 1 when a number was refused.`,
  options: {
    from: fromOption,
    'dry-run': { type: 'boolean', about: 'only show how many numbers it would track' },
    url: urlOption,
    json: jsonOption,
  },
  examples: ['migrate shadow --from https://api.example.com --dry-run'],
  run: async ({ options, shell }) => {
    const here = clientOf(shell, options.url)
    const there = await connectToOther(shell, options.from)
    const theirs = await readRequests(there, (count) => shell.progress(`${count} numbers read there`))
    const ours = new Set((await readRequests(here, () => undefined)).map(keyOfRequest))
    const good = theirs.filter(({ status }) => status !== 'failed')
    const wanted = good.filter((each) => !ours.has(keyOfRequest(each)))
    shell.progress('')
    const progress = createProgressReporter(shell, 'Track', {
      format: (count) => `${Math.round(count)} numbers`,
    })
    const refused: Refusal[] = []
    if (!options['dry-run'])
      for (let at = 0; at < wanted.length; at += atOnce) {
        progress({ name: '', amount: at, share: at / wanted.length })
        const made = await Promise.all(wanted.slice(at, at + atOnce).map((each) => trackHere(here, each)))
        refused.push(...made.filter((each) => each !== null))
      }
    shell.progress('')
    const sums = {
      tracked_there: good.length,
      failed_there: theirs.length - good.length,
      tracked_here_already: good.length - wanted.length,
      [options['dry-run'] ? 'would_be_tracked' : 'tracked_now']: wanted.length - refused.length,
      refused,
    }
    if (options.json) shell.print(JSON.stringify(sums))
    else {
      for (const [name, count] of Object.entries(sums))
        if (typeof count === 'number') shell.print(`${name.replaceAll('_', ' ')}: ${count}`)
      const rows = refused.map(({ number, scac, reason }) => [number, scac, reason])
      if (rows.length > 0) for (const line of tableLines(['NUMBER', 'LINE', 'REFUSED'], rows)) shell.print(line)
    }
    return refused.length === 0 ? 0 : 1
  },
})

interface Refusal {
  readonly number: string
  readonly scac: string | null
  readonly reason: string
}

/** Null when it is tracked. */
async function trackHere(here: Landfall, request: OtherRequest): Promise<Refusal | null> {
  const { number, type, scac, refNumbers, tags } = request
  try {
    await here.createTrackingRequest({
      request_type: type,
      request_number: number,
      ...(scac === null ? { auto_detect_vocc_scac: true } : { scac }),
      ...(refNumbers.length === 0 ? {} : { ref_numbers: refNumbers }),
      ...(tags.length === 0 ? {} : { shipment_tags: tags }),
    })
    return null
  } catch (error) {
    if (!(error instanceof Refused) || error.status === 401 || error.status === 403) throw error
    return { number, scac, reason: error.message }
  }
}
