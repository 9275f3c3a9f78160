/**
 * Compares what two installations of the v2 API show of the same shipment, value by value. An equal moment may be
 * written in two ways; what one does not know and the other does is a difference of its own kind.
 */

/** Attributes of one resource, as the API writes them. */
export type Shown = Readonly<Record<string, unknown>>

export interface ShownContainer {
  readonly number: string
  readonly attributes: Shown
  readonly events: readonly Shown[]
}

export interface ShownShipment {
  readonly number: string
  readonly attributes: Shown
  readonly containers: readonly ShownContainer[]
}

export interface Difference {
  /** `differs`: both know it. `only_there` and `only_here`: the other does not know it, or does not have it. */
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

/**
 * What sources say of a shipment. Not here: ids, times of asking, what users set (tags, references, customer), and names
 * beside a code, which each service writes as it likes.
 */
const comparedOfShipment = [
  'port_of_lading_locode',
  'port_of_discharge_locode',
  'destination_locode',
  'shipping_line_scac',
  'pod_vessel_name',
  'pod_vessel_imo',
  'pod_voyage_number',
  'pol_etd_at',
  'pol_atd_at',
  'pod_eta_at',
  'pod_original_eta_at',
  'pod_ata_at',
  'destination_eta_at',
  'destination_ata_at',
  'pol_timezone',
  'pod_timezone',
  'destination_timezone',
] as const

const comparedOfContainer = [
  'equipment_type',
  'equipment_length',
  'equipment_height',
  'weight_in_lbs',
  'seal_number',
  'pickup_lfd',
  'pickup_appointment_at',
  'availability_known',
  'available_for_pickup',
  'pod_arrived_at',
  'pod_discharged_at',
  'pod_full_out_at',
  'pod_full_out_chassis_number',
  'location_at_pod_terminal',
  'final_destination_full_out_at',
  'empty_terminated_at',
  'holds_at_pod_terminal',
  'fees_at_pod_terminal',
  'pod_rail_carrier_scac',
  'ind_rail_carrier_scac',
  'pod_rail_loaded_at',
  'pod_rail_departed_at',
  'ind_eta_at',
  'ind_ata_at',
  'ind_rail_unloaded_at',
  'ind_facility_lfd_on',
  'import_deadlines',
  'current_status',
] as const

/** In the order of the shipment, its containers, and their events. */
export function compareShipments(there: ShownShipment, here: ShownShipment): readonly Difference[] {
  const boxes = [...new Set([...there.containers, ...here.containers].map(({ number }) => number))]
  return [
    ...compareAttributes(comparedOfShipment, { there: there.attributes, here: here.attributes }).map(
      (found): Difference => ({ of: 'shipment', number: here.number, ...found }),
    ),
    ...boxes.flatMap((number) => {
      const [theirs, ours] = [there, here].map(({ containers }) =>
        containers.find((each) => each.number === number),
      )
      if (theirs === undefined || ours === undefined) {
        const kind = ours === undefined ? 'only_there' : 'only_here'
        const [a, b] = [theirs === undefined ? null : number, ours === undefined ? null : number]
        return [
          { kind, of: 'container', number, what: 'container', there: a, here: b, sourceHere: null } as const,
        ]
      }
      return compareContainers(theirs, ours)
    }),
  ]
}

function compareContainers(there: ShownContainer, here: ShownContainer): readonly Difference[] {
  const { number } = here
  const attributes = compareAttributes(comparedOfContainer, {
    there: there.attributes,
    here: here.attributes,
  })
  return [
    ...attributes.map((found): Difference => ({ of: 'container', number, ...found })),
    ...compareEvents(there.events, here.events).map(
      (found): Difference => ({ of: 'transport_event', number, ...found }),
    ),
  ]
}

type Found = Omit<Difference, 'of' | 'number'>

function compareAttributes(
  names: readonly string[],
  { there, here }: { readonly there: Shown; readonly here: Shown },
): readonly Found[] {
  return names.flatMap((what): readonly Found[] => {
    const [theirs, ours] = [there[what], here[what]]
    if (writeValue(theirs) === writeValue(ours)) return []
    const kind = isUnknown(ours) ? 'only_there' : isUnknown(theirs) ? 'only_here' : 'differs'
    return [{ kind, what, there: theirs ?? null, here: ours ?? null, sourceHere: null }]
  })
}

/** Events of the same name at the same place belong together in the order of their times. */
function compareEvents(there: readonly Shown[], here: readonly Shown[]): readonly Found[] {
  const [theirs, ours] = [standing(there), standing(here)]
  const keys = [...new Set([...theirs, ...ours].map(keyOf))]
  return keys.flatMap((what) => {
    const left = theirs.filter((each) => keyOf(each) === what)
    const right = ours.filter((each) => keyOf(each) === what)
    return Array.from({ length: Math.max(left.length, right.length) }, (_, at): readonly Found[] => {
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

function standing(events: readonly Shown[]): readonly Shown[] {
  return events
    .filter(({ invalidated_at: withdrawn = null }) => withdrawn === null)
    .toSorted((a, b) => momentOf(a) - momentOf(b))
}

function momentOf({ timestamp }: Shown): number {
  return typeof timestamp === 'string' ? Date.parse(timestamp) : Number.POSITIVE_INFINITY
}

function keyOf({ event, location_locode: place }: Shown): string {
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

/** Of a hold or a fee, the words that a terminal added are not compared. */
function writeEntry(entry: unknown): string {
  if (typeof entry !== 'object' || entry === null) return writeValue(entry)
  return Object.entries(entry)
    .filter(([name, value]) => name !== 'description' && writeValue(value) !== '')
    .map(([name, value]) => `${name} ${writeValue(value)}`)
    .toSorted()
    .join(', ')
}
