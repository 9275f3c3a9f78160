/**
 * Checks that each attribute was filled for some box or shipment, that each time a line reported is served as reported,
 * and that no time is served for an event that has not happened.
 */

import { DAY, MINUTE } from '../../sandbox/local-time.ts'
import type { Fact, Statement } from '../../sandbox/shipment.ts'
import type { WireResource } from '../../test/support/api.ts'
import type { Report } from '../kill/checks.ts'
import type { Lived } from './live.ts'
import type { TrueBox } from './questions.ts'

/** Attributes that only users fill, or that need something the sandbox does not simulate. */
const notPlayed: ReadonlySet<string> = new Set(['ref_numbers', 'tags', 'customer_name'])

/** After this time every statement has been read, even where looks are rare. */
const heardAfterMs = 2 * DAY

type Find = (facts: readonly Fact[]) => Fact | undefined

const isRail = ({ call }: Fact): boolean => call.mode === 'RAIL'
const isBarge = ({ call }: Fact): boolean => call.mode === 'BARGE'
/** Feeders and barges are left out, because they have milestones of their own. */
const isShip = ({ call }: Fact): boolean => call.mode === 'VESSEL'
const loaded: Find = (facts) => facts.find((fact) => fact.code === 'LOAD' && isShip(fact))
const landed: Find = (facts) => facts.findLast((fact) => fact.code === 'DISC' && isShip(fact))
const fetched: Find = (facts) => facts.find(({ code, load }) => code === 'GTOT' && load === 'LADEN')

/** Attributes that hold the time of an event, and the event. */
const moments: Readonly<Record<string, Find>> = {
  empty_out_at: (facts) => facts.find(({ code, load }) => code === 'GTOT' && load === 'EMPTY'),
  pol_full_in_at: (facts) => facts.find(({ code, load }) => code === 'GTIN' && load === 'LADEN'),
  pol_vessel_loaded_at: loaded,
  pol_vessel_departed_at: (facts) =>
    facts.find(({ code, call }) => code === 'DEPA' && call.id === loaded(facts)?.call.id),
  pod_arrived_at: (facts) => facts.findLast(({ code, call }) => code === 'ARRI' && call.id === landed(facts)?.call.id),
  pod_discharged_at: landed,
  pod_full_out_at: (facts) => (facts.some(isRail) ? undefined : fetched(facts)),
  final_destination_full_out_at: (facts) =>
    facts.some((fact) => isRail(fact) || isBarge(fact)) ? fetched(facts) : undefined,
  empty_terminated_at: (facts) => facts.find(({ code, load }) => code === 'GTIN' && load === 'EMPTY'),
  pod_rail_loaded_at: (facts) => facts.find((fact) => fact.code === 'LOAD' && isRail(fact)),
  pod_rail_departed_at: (facts) => facts.find((fact) => fact.code === 'DEPA' && isRail(fact)),
  ind_ata_at: (facts) => facts.findLast((fact) => fact.code === 'ARRI' && (isRail(fact) || isBarge(fact))),
  ind_rail_unloaded_at: (facts) => facts.findLast((fact) => fact.code === 'DISC' && isRail(fact)),
}

const ofEnds: ReadonlySet<string> = new Set(['pod_full_out_at', 'final_destination_full_out_at', 'ind_ata_at'])

export function checkAttributes({ containers, shipments, shipmentOf, endMs }: Lived): Report {
  const problems = [...neverFilled('container', containers), ...neverFilled('shipment', shipments)]
  const counts = { told: 0, open: 0 }
  for (const { attributes } of containers) {
    const number = String(attributes['number'])
    const box = shipmentOf(number)
    if (box === null) continue
    const { shipment, isAsked } = box
    const facts = factsOf(box)
    const asShips = feedersAsShips(facts)
    const exactMs = shipment.line.quirks.has('day_only_times') ? DAY : MINUTE
    for (const [name, find] of Object.entries(moments)) {
      const served = attributes[name] == null ? null : Date.parse(String(attributes[name]))
      // Only documents can show whether a barge goes inland or to another port, so for these attributes a missing value
      // is accepted.
      const isEitherEnd = facts.some(isBarge) && ofEnds.has(name)
      const wrongBy = (fact: Fact | undefined): string | null => {
        const said = isAsked && !isEitherEnd ? saidOf(box, fact, endMs) : null
        return wrongOf({ fact, served, said, endMs, exactMs })
      }
      // The line calls the ship a feeder, but the terminal or the papers may call it a ship. Both are accepted.
      const wrong = wrongBy(find(facts)) && wrongBy(find(asShips))
      if (wrong === null) counts[served === null ? 'open' : 'told'] += 1
      else problems.push(`${shipment.line.scac} ${number} (${shipment.scenario}): ${name} ${wrong}`)
    }
  }
  return {
    says: `${containers.length} containers and ${shipments.length} shipments: every attribute is filled for some; ${counts.told} moments are served as they were told, and ${counts.open} that are open are open.`,
    problems,
  }
}

/** The facts as the line reports them: few lines distinguish a feeder from another ship. */
function factsOf({ shipment, place }: TrueBox): readonly Fact[] {
  const facts = shipment.facts.filter(({ boxes }) => boxes.includes(place))
  return shipment.line.quirks.has('feeder_mode') ? facts : feedersAsShips(facts)
}

function feedersAsShips(facts: readonly Fact[]): readonly Fact[] {
  return facts.map((fact) => (fact.call.mode === 'FEEDER' ? { ...fact, call: { ...fact.call, mode: 'VESSEL' } } : fact))
}

function wrongOf(of: {
  readonly fact: Fact | undefined
  readonly served: number | null
  readonly said: Statement | null
  readonly endMs: number
  readonly exactMs: number
}): string | null {
  const { fact, served, said, endMs } = of
  if (served === null) {
    return said === null || said.created > endMs - heardAfterMs ? null : `is open, and was told at ${iso(said.at)}`
  }
  if (fact === undefined || fact.at > endMs) return `is ${iso(served)}, and it has not happened`
  const told = [fact.at, ...(said === null ? [] : [said.at])]
  if (told.some((at) => Math.abs(at - served) < of.exactMs)) return null
  return `is ${iso(served)}, and it was at ${iso(fact.at)}`
}

/** The line's valid statement about the event, if there is one by then. */
function saidOf({ shipment, place }: TrueBox, fact: Fact | undefined, endMs: number): Statement | null {
  if (fact === undefined) return null
  const { quirks } = shipment.line
  // Some lines sometimes leave out the place of a ship's call, so no statement can be required.
  const isOfShip = fact.code === 'ARRI' || fact.code === 'DEPA'
  if (isOfShip && quirks.has('some_transports_without_call')) return null
  const says = ({ about, boxes, classifier, created, until }: Statement): boolean =>
    about.kind !== 'SHIPMENT' &&
    classifier === 'ACT' &&
    about.code === fact.code &&
    about.call.id === fact.call.id &&
    boxes.includes(place) &&
    created <= endMs &&
    until === null
  return shipment.statements.find(says) ?? null
}

/** Members of objects are checked too (`import_deadlines.pickup_lfd_rail`). */
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

function iso(at: number): string {
  return new Date(at - (at % MINUTE)).toISOString()
}
