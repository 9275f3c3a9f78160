/** `landfall shipments` and `landfall containers`: what is tracked, as a table or as JSON. */

import type { Landfall } from '../../../sdk/typescript/src/landfall.ts'
import { defineCommand, type OptionValues, UsageError } from '../framework/command.ts'
import { linesOfEstimates, type StatedEstimate } from './estimate-lines.ts'
import { aboutServer, clientOf, jsonOption, urlOption } from './server-client.ts'
import { tableLines } from './text-table.ts'

const options = {
  scac: { type: 'string', value: '<scac>', about: 'of this line' },
  number: { type: 'string', value: '<number>', about: 'with this number' },
  limit: { type: 'string', value: '<count>', about: 'maximum number of rows; if it is missing, 30; 0 for all' },
  url: urlOption,
  json: jsonOption,
} as const

/** How many rows are shown. */
function limitOf({ limit }: Pick<OptionValues<typeof options>, 'limit'>): number {
  const count = limit === null ? 30 : Number(limit)
  if (!Number.isSafeInteger(count) || count < 0) throw new UsageError(`${limit} is not a number of rows.`)
  return count === 0 ? Number.POSITIVE_INFINITY : count
}

function filterOf({ scac, number }: Pick<OptionValues<typeof options>, 'scac' | 'number'>) {
  return { ...(scac === null ? {} : { scac }), ...(number === null ? {} : { number }) }
}

export const shipments = defineCommand({
  about: `On a terminal, with --number, the last line shows the line's arrival estimates as bars; a higher bar is a later arrival.
${aboutServer}`,
  options,
  examples: ['shipments', 'shipments --number HLCUHKG260116', 'shipments --scac HLCU --limit 0 --json'],
  run: async ({ options: given, shell }) => {
    const landfall = clientOf(shell, given.url)
    // A filter of containers, and a parameter of shipments.
    const { number, ...filter } = filterOf(given)
    const found = landfall.listShipments({
      filter,
      ...(number === undefined ? {} : { number }),
      page: { size: 100 },
      include: ['containers'],
    })
    const rows = await found.all(limitOf(given))
    if (given.json) {
      for (const row of rows) shell.print(JSON.stringify(row))
      return 0
    }
    for (const line of tableLines(
      ['BILL OF LADING', 'LINE', 'FROM', 'TO', 'ARRIVAL', 'CONTAINERS'],
      rows.map((row) => [
        row.bill_of_lading_number,
        row.shipping_line_scac,
        row.port_of_lading_name,
        row.port_of_discharge_name,
        row.pod_ata_at ?? row.pod_eta_at,
        row.containers.length,
      ]),
    ))
      shell.print(line)
    if (given.number === null || shell.drawing === 'none') return 0
    for (const { id, bill_of_lading_number: bill } of rows)
      for (const line of linesOfEstimates(await estimatesOf(landfall, id), shell.drawing))
        shell.print(`\n${bill} was expected  ${line}`)
    return 0
  },
})

/** The line's alone: what others expect is no step of its estimate. */
async function estimatesOf(landfall: Landfall, shipmentId: string): Promise<readonly StatedEstimate[]> {
  const estimates: StatedEstimate[] = []
  for await (const eta of landfall.listShipmentEtas(shipmentId, { page: { size: 100 } }))
    if (eta.said_by === 'shipping_line')
      estimates.push({
        etaAt: eta.eta_at,
        heardAt: eta.heard_at,
        statedAt: eta.stated_at,
        ship: eta.vessel_name ?? eta.vessel_imo,
        isPlanned: eta.classifier === 'planned',
      })
  return estimates
}

export const containers = defineCommand({
  about: aboutServer,
  options: {
    ...options,
    held: { type: 'boolean', about: 'only containers that are held' },
  },
  examples: ['containers --held', 'containers --number MSKU1234565 --json'],
  run: async ({ options: given, shell }) => {
    const landfall = clientOf(shell, given.url)
    const filter = {
      ...filterOf(given),
      ...(given.held ? { has_holds: true } : {}),
    }
    const rows = await landfall.listContainers({ filter, page: { size: 100 } }).all(limitOf(given))
    if (given.json) for (const row of rows) shell.print(JSON.stringify(row))
    else
      for (const line of tableLines(
        ['CONTAINER', 'STATUS', 'AVAILABLE', 'HOLDS', 'LAST FREE DAY', 'TERMINAL CHECKED'],
        rows.map((row) => [
          row.number,
          row.current_status,
          // Unknown is no no.
          row.available_for_pickup === null ? null : row.available_for_pickup ? 'yes' : 'no',
          (row.holds_at_pod_terminal ?? []).map(({ name }) => name).join(', '),
          row.free_until?.on ?? null,
          row.terminal_checked_at,
        ]),
      ))
        shell.print(line)
    return 0
  },
})
