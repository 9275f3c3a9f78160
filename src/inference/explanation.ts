/** Explains why a candidate was chosen, in sentences with counts: `41 of 46 confirmed moves of TCNU7… were CMDU.` */

import { carrierIndex } from './carriers.ts'
import { nodeNumber, type Tally } from './evidence.ts'
import type { Model } from './model.ts'
import { type NumberReading, shapeOf } from './number.ts'
import { getOwnerCode } from './owner-codes.ts'

/** A node is named only when it has at least this many confirmed numbers. */
const rowsMin = 3

export function explainCandidates(reading: NumberReading, scacs: readonly string[], model: Model): readonly string[] {
  const sentences = [describeRegister(reading)]
  const nodes = reading.kind === 'container' ? containerNodes(reading.number) : shipmentNodes(reading)
  for (const scac of scacs) {
    const matchingNode = nodes.find((node) => node.rowsOf(model) >= rowsMin && node.rowsOf(model, scac) > 0)
    if (matchingNode === undefined) continue
    const what = reading.kind === 'container' ? 'confirmed moves' : 'confirmed numbers'
    sentences.push(
      `${matchingNode.rowsOf(model, scac)} of ${matchingNode.rowsOf(model)} ${what} of ${matchingNode.name} were ${scac}.`,
    )
  }
  return sentences
}

function describeRegister(reading: NumberReading): string {
  if (reading.kind === 'container') {
    const code = reading.number.slice(0, 4)
    const owner = getOwnerCode(code)
    switch (owner.kind) {
      case 'carrier':
        if (owner.isDedicated) return `${code} belongs to ${owner.owner}, which bought its boxes for ${owner.scac}.`
        return `${code} is an owner code of ${owner.scac}.`
      case 'lessor':
        return `${code} belongs to a leasing company (${owner.owner}): any carrier may use the box.`
      case 'other':
        return `${code} belongs to ${owner.owner}, which is not a carrier that Landfall covers.`
      case 'unregistered':
        return `${code} is not in the register of owner codes.`
    }
  }
  if (reading.prefix !== null) return `${reading.prefixScac} writes ${reading.prefix} before its numbers.`
  const code = reading.number.slice(0, 4)
  const { scac } = getOwnerCode(code)
  if (scac !== null) return `${code} is an owner code of boxes of ${scac}, which may write it before its numbers.`
  const lines = [...new Set(reading.formats.map(({ scac }) => scac))]
  if (lines.length === 0) return 'The number fits no known format of a line.'
  return `The number fits formats of ${lines.join(', ')}.`
}

interface ExplainedNode {
  readonly name: string
  rowsOf(model: Model, scac?: string): number
}

/** The finest first: nodes of a hundred containers, of a thousand, and so on up to the owner code. */
function containerNodes(number: string): readonly ExplainedNode[] {
  const code = number.slice(0, 4)
  return [4, 3, 2, 1, 0].map((depth) => ({
    name: `${number.slice(0, 4 + depth)}…`,
    rowsOf: (model, scac) =>
      rowsIn(
        model.layers.map(({ evidence }) =>
          evidence.owners.get(code)?.nodes.get(nodeNumber(depth, Number(number.slice(4, 4 + depth)))),
        ),
        scac,
      ),
  }))
}

function shipmentNodes(reading: NumberReading & { readonly kind: 'shipment' }): readonly ExplainedNode[] {
  const shape = shapeOf(reading.number)
  const keys: (readonly [key: string, name: string])[] =
    reading.prefix === null
      ? [5, 4, 3, 2, 1].map((length) => [
          `s:${shape}:${reading.number.slice(0, length)}`,
          `shape ${shape} beginning with ${reading.number.slice(0, length)}`,
        ])
      : [[`p:${reading.prefix}`, `${reading.prefix}…`]]
  if (reading.prefix === null) keys.push([`s:${shape}`, `shape ${shape}`])
  return keys.map(([key, name]) => ({
    name,
    rowsOf: (model, scac) =>
      rowsIn(
        model.layers.map(({ evidence }) => evidence.shipments.get(key)),
        scac,
      ),
  }))
}

function rowsIn(tallies: readonly (Tally | undefined)[], scac: string | undefined): number {
  let rows = 0
  for (const tally of tallies) {
    tally?.carriers.forEach((carrier, at) => {
      if (scac === undefined || carrier === carrierIndex(scac)) rows += Math.max(0, tally.rows[at] ?? 0)
    })
  }
  return rows
}
