/** `landfall explain`: why a container or shipment is shown as it is, line by line in the journey notation. */

import { styleText } from 'node:util'
import { instantOf, lastMomentOf } from '../domain/values/time.ts'
import type { Context } from '../modules/access/context.ts'
import { explainValue } from '../modules/provenance/explain-value.ts'
import type { ValueExplanation } from '../modules/provenance/value-explanation.ts'
import { search } from '../modules/search/search.ts'
import type { Service } from '../modules/service.ts'
import { listEtas } from '../modules/shipments/list-etas.ts'
import { accountOption, findAccountContext } from './access/account-named.ts'
import { linesOfEstimates, type StatedEstimate } from './client/estimate-lines.ts'
import { defineCommand, UsageError } from './framework/command.ts'

export const explain = defineCommand({
  about:
    'Prints for each value its source, the rule that chose it, and the values that were not chosen, with the reason, in the journey notation. With --as-of: as it was known at that time. On a terminal the expected arrival of a shipment also has a bar for each estimate of the line, higher for later.',
  operands: [
    { name: 'number', about: 'number of the container or shipment' },
    {
      name: 'value',
      about: 'name of an attribute (pod_eta_at); if it is missing, all attributes with a source',
      isRepeated: true,
    },
  ],
  options: {
    'as-of': { type: 'string', value: '<time>', about: 'ISO 8601 time: show what was known then' },
    account: accountOption,
  },
  examples: ['explain LDFU1000018', 'explain LDFU1000018 pod_arrived_at --as-of 2026-01-22T12:00:00Z'],
  run: async ({ operands, options, shell }) => {
    const [number = '', ...values] = operands
    const at = readMoment(options['as-of'])
    const asOf = at && lastMomentOf({ at, written: options['as-of'] ?? '' })
    const service = await shell.openService()
    const context = await findAccountContext(service, options.account)
    const hits = await search(service, context, { query: number })
    const hit = hits.find(({ kind }) => kind === 'container') ?? hits.find(({ kind }) => kind === 'shipment')
    if (hit === undefined) {
      shell.log(`${context.account.companyName} has no container or shipment ${number}.`)
      return 1
    }
    const type = hit.kind === 'container' ? 'container' : 'shipment'
    shell.print(`${type} ${hit.number}${at === null ? '' : ` as of ${at}`}`)
    for (const value of values.length === 0 ? [null] : values) {
      const explanations = await explainValue(service, context, { of: { type, id: hit.id }, value, asOf })
      const visible =
        value === null
          ? explanations.filter(({ statement, losers }) => statement !== null || losers.length > 0)
          : explanations
      for (const each of visible) {
        for (const line of linesOf(each, shell.hasColours)) shell.print(line)
        if (each.value !== 'pod_eta_at' || shell.drawing === 'none') continue
        const estimates = await estimatesOf(service, context, { shipmentId: hit.id, asOf })
        for (const line of linesOfEstimates(estimates, shell.drawing)) shell.print(`  ${line}`)
      }
    }
    return 0
  },
})

/** The newest of the line's own that were ingested until then. */
async function estimatesOf(
  service: Service,
  context: Context,
  { shipmentId, asOf }: { readonly shipmentId: string; readonly asOf: string | null },
): Promise<readonly StatedEstimate[]> {
  const { rows } = await listEtas(service, context, { shipmentId, page: { number: 1, size: 100 } })
  return rows
    .filter(
      ({ saidBy: source, heardAt: ingestedAt }) => source === 'shipping_line' && (asOf === null || ingestedAt <= asOf),
    )
    .map(({ time, timeZone, statedAt, heardAt: ingestedAt, vesselName, vesselImo, classifier }) => ({
      etaAt: instantOf(time, timeZone).at,
      heardAt: ingestedAt,
      statedAt,
      ship: vesselName ?? vesselImo,
      isPlanned: classifier === 'PLN',
    }))
}

function linesOf({ value, statement, rule, losers }: ValueExplanation, hasColours: boolean): readonly string[] {
  const paint = (colour: 'bold' | 'green' | 'dim', text: string): string =>
    hasColours ? styleText(colour, text, { validateStream: false }) : text
  return [
    '',
    paint('bold', value),
    `  ${rule}`,
    ...(statement === null
      ? []
      : [`  ${paint('green', `✓ ${shortenNotation(statement.notation)}`)}  read ${statement.readAt}`]),
    ...losers.map(({ notation, why }) => `  ${paint('dim', `✗ ${shortenNotation(notation)}`)}  lost: ${why}`),
  ]
}

/** Only what, where, when and by whom. Cuts off the details that a line of the notation may have. */
function shortenNotation(notation: string): string {
  return notation.split(/ (?:box|via|vessel|voyage|name|zone|call|seq|original|key|stated)=/, 1)[0] ?? notation
}

function readMoment(text: string | null): string | null {
  if (text === null) return null
  const at = new Date(text)
  if (Number.isNaN(at.getTime())) throw new UsageError('--as-of needs an ISO 8601 time: 2026-01-22T12:00:00Z.')
  return at.toISOString()
}
