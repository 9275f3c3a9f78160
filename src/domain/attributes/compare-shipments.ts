/**
 * Compares what two installations of the v2 API show of the same shipment, value by value. An equal moment may be
 * written in two ways; a value that only one of them has is a difference of its own kind.
 */

import { isObject } from '../values/json-value.ts'
import { comparedNames } from './attribute.ts'
import { containerAttributes } from './container-attributes.ts'
import { shipmentAttributes } from './shipment-attributes.ts'

/** Attributes of one resource, as the API writes them. */
export type ResourceAttributes = Readonly<Record<string, unknown>>

export interface ContainerResource {
  readonly number: string
  readonly attributes: ResourceAttributes
  readonly events: readonly ResourceAttributes[]
}

export interface ShipmentResource {
  readonly number: string
  readonly attributes: ResourceAttributes
  readonly containers: readonly ContainerResource[]
}

export interface Difference {
  /** `differs`: both have a value. `only_there` and `only_here`: the other has no value. */
  readonly kind: 'differs' | 'only_there' | 'only_here'
  readonly of: 'shipment' | 'container' | 'transport_event'
  /** Bill of lading or booking of a shipment, number of a container. */
  readonly number: string
  /** An attribute, or of an event its name and UN/LOCODE: `container.transport.vessel_arrived USLAX`. */
  readonly what: string
  readonly there: unknown
  readonly here: unknown
  /** Of an event here: `shipping_line`, `terminal` and so on. Null for everything else. */
  readonly sourceHere: string | null
}

const comparedOfShipment = comparedNames(shipmentAttributes)
const comparedOfContainer = comparedNames(containerAttributes)

/** In the order of the shipment, its containers, and their events. */
export function compareShipments(there: ShipmentResource, here: ShipmentResource): readonly Difference[] {
  const numbers = [...new Set([...there.containers, ...here.containers].map(({ number }) => number))]
  return [
    ...compareAttributes(comparedOfShipment, { there: there.attributes, here: here.attributes }).map(
      (found): Difference => ({ of: 'shipment', number: here.number, ...found }),
    ),
    ...numbers.flatMap((number) => {
      const [theirs, ours] = [there, here].map(({ containers }) => containers.find((each) => each.number === number))
      if (theirs === undefined || ours === undefined) {
        const kind = ours === undefined ? 'only_there' : 'only_here'
        const [a, b] = [theirs === undefined ? null : number, ours === undefined ? null : number]
        return [{ kind, of: 'container', number, what: 'container', there: a, here: b, sourceHere: null } as const]
      }
      return compareContainers(theirs, ours)
    }),
  ]
}

function compareContainers(there: ContainerResource, here: ContainerResource): readonly Difference[] {
  const { number } = here
  const attributes = compareAttributes(comparedOfContainer, {
    there: withoutPodDeadlines(there.attributes),
    here: withoutPodDeadlines(here.attributes),
  })
  return [
    ...attributes.map((found): Difference => ({ of: 'container', number, ...found })),
    ...compareEvents(there.events, here.events).map(
      (found): Difference => ({ of: 'transport_event', number, ...found }),
    ),
  ]
}

/** What was stated first, and what an account's own terms give, differs from installation to installation. */
function withoutPodDeadlines(attributes: ResourceAttributes): ResourceAttributes {
  const { import_deadlines: deadlines } = attributes
  return isObject(deadlines) ? { ...attributes, import_deadlines: { ...deadlines, pod: undefined } } : attributes
}

type AttributeDifference = Omit<Difference, 'of' | 'number'>

function compareAttributes(
  names: readonly string[],
  { there, here }: { readonly there: ResourceAttributes; readonly here: ResourceAttributes },
): readonly AttributeDifference[] {
  return names.flatMap((what): readonly AttributeDifference[] => {
    const [theirs, ours] = [there[what], here[what]]
    if (writeValue(theirs) === writeValue(ours)) return []
    const kind = isUnknown(ours) ? 'only_there' : isUnknown(theirs) ? 'only_here' : 'differs'
    return [{ kind, what, there: theirs ?? null, here: ours ?? null, sourceHere: null }]
  })
}

/** Events of the same name at the same place belong together in the order of their times. */
function compareEvents(
  there: readonly ResourceAttributes[],
  here: readonly ResourceAttributes[],
): readonly AttributeDifference[] {
  const [theirs, ours] = [listActiveEvents(there), listActiveEvents(here)]
  const keys = [...new Set([...theirs, ...ours].map(keyOf))]
  return keys.flatMap((what) => {
    const left = theirs.filter((each) => keyOf(each) === what)
    const right = ours.filter((each) => keyOf(each) === what)
    return Array.from({ length: Math.max(left.length, right.length) }, (_, at): readonly AttributeDifference[] => {
      const [a, b] = [left[at], right[at]]
      const found = {
        what,
        there: a?.['timestamp'] ?? null,
        here: b?.['timestamp'] ?? null,
        sourceHere: typeof b?.['data_source'] === 'string' ? b['data_source'] : null,
      }
      if (a === undefined) return [{ kind: 'only_here', ...found }]
      if (b === undefined) return [{ kind: 'only_there', ...found }]
      return writeValue(found.there) === writeValue(found.here) ? [] : [{ kind: 'differs', ...found }]
    }).flat()
  })
}

function listActiveEvents(events: readonly ResourceAttributes[]): readonly ResourceAttributes[] {
  return events
    .filter(({ invalidated_at: withdrawn = null }) => withdrawn === null)
    .toSorted((a, b) => momentOf(a) - momentOf(b))
}

function momentOf({ timestamp }: ResourceAttributes): number {
  return typeof timestamp === 'string' ? Date.parse(timestamp) : Number.POSITIVE_INFINITY
}

function keyOf({ event, location_locode: place }: ResourceAttributes): string {
  return typeof place === 'string' ? `${String(event)} ${place}` : String(event)
}

function isUnknown(value: unknown): boolean {
  return writeValue(value) === ''
}

const isMoment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/

/** The same for values that mean the same; empty for what is not known. */
function writeValue(value: unknown): string {
  if (value === null || value === undefined || value === '') return ''
  if (typeof value === 'string') {
    if (isMoment.test(value)) return String(Date.parse(value))
    return value.trim().toUpperCase().replace(/\s+/g, ' ')
  }
  if (Array.isArray(value)) return value.map(writeEntry).filter(Boolean).toSorted().join('; ')
  return typeof value === 'object' ? writeEntry(value) : String(value)
}

/** The text that a terminal added to a hold or a fee is not compared. */
function writeEntry(entry: unknown): string {
  if (typeof entry !== 'object' || entry === null) return writeValue(entry)
  return Object.entries(entry)
    .filter(([name, value]) => name !== 'description' && writeValue(value) !== '')
    .map(([name, value]) => `${name} ${writeValue(value)}`)
    .toSorted()
    .join(', ')
}
