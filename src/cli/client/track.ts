/** `landfall track`: tracks numbers and waits for the answers of their lines. */

import type { Landfall } from '../../../sdk/typescript/src/landfall.ts'
import { Refused } from '../../../sdk/typescript/src/refused.ts'
import type { Tracked } from '../../../sdk/typescript/src/track.ts'
import { defineCommand, UsageError } from '../framework/command.ts'
import { aboutServer, clientOf, jsonOption, urlOption } from './server-client.ts'
import { tableLines } from './text-table.ts'

const types = ['bill_of_lading', 'booking_number', 'container'] as const
/** Lines are polled side by side, but not all at once. */
const atOnce = 5

export const track = defineCommand({
  about: `Finds the kind of each number and its line, unless they are given, and waits for the first answer.
${aboutServer}
Exits with 1 when a number was refused, has failed, or has no answer yet.`,
  operands: [{ name: 'number', about: 'bill of lading, booking or container number', isRepeated: true }],
  options: {
    scac: { type: 'string', value: '<scac>', about: 'the line; if it is missing, Landfall finds it' },
    type: {
      type: 'string',
      value: '<type>',
      about: `kind of the numbers: ${types.join(', ')}; if it is missing, Landfall finds it`,
    },
    wait: { type: 'string', value: '<seconds>', about: 'seconds to wait for each answer; if it is missing, 60' },
    url: urlOption,
    json: jsonOption,
  },
  examples: ['track MSKU1234565', 'track HLCUHKG260116 --scac HLCU --type bill_of_lading', 'track A B C --json'],
  run: async ({ operands, options, shell }) => {
    const landfall = clientOf(shell, options.url)
    const type = types.find((each) => each === options.type)
    if (options.type !== null && type === undefined)
      throw new UsageError(`${options.type} is not a kind of number. Give one of ${types.join(', ')}.`)
    const waitS = options.wait === null ? 60 : Number(options.wait)
    if (!(waitS >= 0)) throw new UsageError(`${options.wait} is not a number of seconds.`)
    if (operands.length === 0) throw new UsageError('Give at least one number.')
    const trackOptions = {
      waitS,
      ...(options.scac === null ? {} : { scac: options.scac }),
      ...(type === undefined ? {} : { type }),
    }
    const results: Result[] = []
    for (let at = 0; at < operands.length; at += atOnce) {
      const numbers = operands.slice(at, at + atOnce)
      shell.progress(`${results.length} of ${operands.length} answered`)
      results.push(...(await Promise.all(numbers.map((number) => trackOne(landfall, number, trackOptions)))))
    }
    shell.progress('')
    if (options.json) for (const result of results) shell.print(JSON.stringify(result))
    else for (const line of linesOf(results)) shell.print(line)
    return results.every(({ tracked }) => tracked !== null && isGood(tracked)) ? 0 : 1
  },
})

interface Result {
  readonly number: string
  readonly tracked: Tracked | null
  /** Why the server accepted no request. */
  readonly refused: string | null
}

async function trackOne(
  landfall: Landfall,
  number: string,
  trackOptions: Parameters<Landfall['track']>[1],
): Promise<Result> {
  try {
    return { number, tracked: await landfall.track(number, trackOptions), refused: null }
  } catch (error) {
    if (!(error instanceof Refused) || error.status === 401) throw error
    return { number, tracked: null, refused: error.message }
  }
}

function isGood({ status }: Tracked): boolean {
  return status === 'created' || status === 'tracking_stopped'
}

function linesOf(results: readonly Result[]): readonly string[] {
  const rows = results.flatMap(({ number, tracked, refused }) => {
    if (tracked === null) return [[number, null, 'refused', null, null, refused]]
    const { status, failed_reason: reason, scac, tracked_object: shipment } = tracked
    if (shipment === null) return [[number, scac, status, null, null, reason]]
    return shipment.containers.map((container) => [
      number,
      scac,
      container.current_status,
      container.number,
      shipment.pod_ata_at ?? shipment.pod_eta_at,
      container.free_until?.on ?? null,
    ])
  })
  return tableLines(['NUMBER', 'LINE', 'STATUS', 'CONTAINER', 'ARRIVAL', 'LAST FREE DAY'], rows)
}
