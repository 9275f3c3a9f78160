/** Each attribute was filled for some box or shipment, and what says that something happened for none to which it did not. */

import type { Fact } from '../../sandbox/shipment.ts'
import type { WireResource } from '../../test/support/api.ts'
import type { Report } from '../kill-proof/checks.ts'
import type { Lived } from './live.ts'

/** Filled by users alone, or by what the sandbox does not play. */
const notPlayed: ReadonlySet<string> = new Set(['ref_numbers', 'tags', 'customer_name'])

type Happened = (facts: readonly Fact[]) => boolean
const any =
  (code: string, load?: string): Happened =>
  (facts) =>
    facts.some((fact) => fact.code === code && (load === undefined || fact.load === load))
const byRail =
  (code: string): Happened =>
  (facts) =>
    facts.some((fact) => fact.code === code && fact.call.mode === 'RAIL')

/** Attributes that are a moment of something that happened. */
const moments: Readonly<Record<string, Happened>> = {
  empty_out_at: any('GTOT', 'EMPTY'),
  pol_full_in_at: any('GTIN', 'LADEN'),
  pol_vessel_loaded_at: any('LOAD'),
  pol_vessel_departed_at: any('DEPA'),
  pod_arrived_at: any('ARRI'),
  pod_discharged_at: any('DISC'),
  pod_full_out_at: any('GTOT', 'LADEN'),
  final_destination_full_out_at: any('GTOT', 'LADEN'),
  empty_terminated_at: any('GTIN', 'EMPTY'),
  pod_rail_loaded_at: byRail('LOAD'),
  pod_rail_departed_at: byRail('DEPA'),
  ind_ata_at: byRail('ARRI'),
  ind_rail_unloaded_at: byRail('DISC'),
}

export function checkAttributes({ containers, shipments, shipmentOf, endMs }: Lived): Report {
  const problems = [...neverFilled('container', containers), ...neverFilled('shipment', shipments)]
  let checked = 0
  for (const { attributes } of containers) {
    const number = String(attributes['number'])
    const box = shipmentOf(number)
    if (box === null) continue
    const facts = box.shipment.facts.filter(({ at, boxes }) => at <= endMs && boxes.includes(box.place))
    for (const [name, hasHappened] of Object.entries(moments)) {
      checked += 1
      if (attributes[name] != null && !hasHappened(facts))
        problems.push(
          `${box.shipment.line.scac} ${number}: ${name} is ${attributes[name]}, and it has not happened`,
        )
    }
  }
  return {
    says: `${containers.length} containers and ${shipments.length} shipments: every attribute is filled for some, and of ${checked} moments none is told that was not.`,
    problems,
  }
}

/** Of members of objects too (`import_deadlines.pickup_lfd_rail`). */
function neverFilled(type: string, resources: readonly WireResource[]): readonly string[] {
  const seen = new Map<string, boolean>()
  const note = (name: string, value: unknown): void => {
    const isFilled = value !== null && value !== '' && !(Array.isArray(value) && value.length === 0)
    seen.set(name, seen.get(name) === true || isFilled)
  }
  for (const { attributes } of resources)
    for (const [name, value] of Object.entries(attributes)) {
      note(name, value)
      if (name !== 'import_deadlines' || typeof value !== 'object' || value === null) continue
      for (const [member, inner] of Object.entries(value)) note(`${name}.${member}`, inner)
    }
  return [...seen].flatMap(([name, isFilled]) =>
    isFilled || notPlayed.has(name) ? [] : [`${name} of a ${type} was filled for none`],
  )
}
