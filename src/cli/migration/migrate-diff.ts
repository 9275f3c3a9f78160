/**
 * `landfall migrate diff`: where another installation and this one differ on the same shipments, and which source
 * stated the values here.
 */

import type { Landfall } from '../../../sdk/typescript/src/landfall.ts'
import { compareShipments } from '../../domain/attributes/compare-shipments.ts'
import { aboutServer, clientOf, jsonOption, urlOption } from '../client/server-client.ts'
import { tableLines } from '../client/text-table.ts'
import { defineCommand } from '../framework/command.ts'
import { createProgressReporter } from '../framework/progress-reporter.ts'
import { addSourcesHere, type SourcedDifference } from './add-sources-here.ts'
import { aboutOther, connectToOther, fromOption, readShipment } from './other-installation.ts'

export const migrateDiff = defineCommand({
  about: `Compares ports, ship, times, status, holds, fees, deadlines and events of each shipment that both track. For each difference
it shows the value there and here, and which source reported the value here and when. The same moment in two zones is equal.
${aboutOther}
${aboutServer}
Exits with 1 when there is a difference, or a shipment that is not tracked here.`,
  options: {
    from: fromOption,
    number: { type: 'string', value: '<number>', about: 'only the shipment with this number' },
    url: urlOption,
    json: jsonOption,
  },
  examples: [
    'migrate diff --from https://api.example.com',
    'migrate diff --from https://api.example.com --number HLCUHKG260116 --json',
  ],
  run: async ({ options, shell }) => {
    const here = clientOf(shell, options.url)
    const there = await connectToOther(shell, options.from)
    const filter = options.number === null ? {} : { number: options.number }
    const theirs = there.listShipments({ ...filter, include: ['containers'], page: { size: 100 } })
    const progress = createProgressReporter(shell, 'Compare', {
      format: (count) => `${Math.round(count)} shipments`,
    })
    const found: SourcedDifference[] = []
    const absent: string[] = []
    let compared = 0
    for await (const { items, meta } of theirs.pages()) {
      const total = typeof meta['total'] === 'number' ? meta['total'] : 0
      for (const shipment of items) {
        const ours = await findShipmentHere(here, shipment)
        if (ours === null) absent.push(shipment.bill_of_lading_number ?? shipment.id)
        else {
          const [left, right] = [await readShipment(there, shipment), await readShipment(here, ours)]
          found.push(...(await addSourcesHere(here, ours, compareShipments(left, right))))
          compared += 1
        }
        const amount = compared + absent.length
        progress({ name: '', amount, share: amount / Math.max(total, amount) })
      }
    }
    shell.progress('')
    if (options.json) {
      for (const row of found) shell.print(JSON.stringify(row))
      for (const number of absent) shell.print(JSON.stringify({ kind: 'not_tracked_here', number }))
    } else {
      const heads = ['NUMBER', 'WHAT', 'THERE', 'HERE', 'SAID HERE BY']
      for (const line of tableLines(heads, found.map(cellsOf))) shell.print(line)
      for (const number of absent) shell.print(`${number} is not tracked here.`)
    }
    shell.log(
      `${compared} shipments compared: ${found.length} differences (${countsOf(found)}); ${absent.length} not tracked here.`,
    )
    return found.length + absent.length === 0 ? 0 : 1
  },
})

/** By its number and line. A booking there may be a bill here, so the containers are checked too. */
async function findShipmentHere(
  here: Landfall,
  there: {
    readonly bill_of_lading_number: string | null
    readonly shipping_line_scac: string
    readonly containers: readonly { readonly number: string }[]
  },
) {
  const { bill_of_lading_number: bill, shipping_line_scac: scac, containers } = there
  if (bill !== null) {
    const found = await here.listShipments({ number: bill, include: ['containers'] }).all(10)
    const same = found.find((each) => each.shipping_line_scac === scac) ?? found[0]
    if (same !== undefined) return same
  }
  const numbers = new Set(containers.map(({ number }) => number))
  for (const number of numbers) {
    const candidates = await here.listContainers({ filter: { number }, include: ['shipment.containers'] }).all(10)
    const same = candidates.find(({ shipment }) => shipment?.shipping_line_scac === scac)?.shipment
    if (same) return same
  }
  return null
}

function cellsOf({ number, what, there, here, said_here: statedHere }: SourcedDifference): readonly (string | null)[] {
  return [number, what, formatValue(there), formatValue(here), statedHere]
}

function formatValue(value: unknown): string | null {
  if (value === null || value === undefined) return null
  if (!Array.isArray(value)) return typeof value === 'object' ? JSON.stringify(value) : String(value)
  return value.length === 0 ? null : JSON.stringify(value)
}

function countsOf(rows: readonly SourcedDifference[]): string {
  return (['differs', 'only_there', 'only_here'] as const)
    .map((kind) => `${rows.filter((row) => row.kind === kind).length} ${kind.replace('_', ' ')}`)
    .join(', ')
}
