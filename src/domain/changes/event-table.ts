/**
 * The events that subscribers receive, by category: of each the type of its reference object, the includes of a
 * delivery, and a description. The catalogue of webhooks, the names in the API and the documents of deliveries follow
 * from these rows. `docs/adding.md` explains one step by step.
 */

import { isOneOf } from '../values/codes.ts'

export const referenceTypes = [
  'tracking_request',
  'estimated_event',
  'transport_event',
  'container_created_event',
  'container_updated_event',
  'container_pod_terminal_changed_event',
  'container_charges_event',
  'container_overdue_event',
  'document',
  'ledger_root',
] as const
export type ReferenceType = (typeof referenceTypes)[number]

/** By relation of the reference object, and of what is included. */
interface IncludedResources {
  readonly [relation: string]: IncludedResources
}

interface EventRow {
  readonly referenceType: ReferenceType
  /** Besides the reference object. */
  readonly included: IncludedResources
  readonly description: string
  /** False for an event that only Landfall has. Only a webhook that names it or `landfall.*` receives it. */
  readonly isOfContract: boolean
}

const ofContainer: IncludedResources = { container: {}, shipment: {} }
const journey: IncludedResources = { ...ofContainer, location: {}, terminal: {} }
const papers: IncludedResources = { email_submission: {}, last_document_representation: {} }

function eventRow(referenceType: ReferenceType, description: string, included: IncludedResources = {}): EventRow {
  return { referenceType, included, description, isOfContract: true }
}

/** Of a move of the container. */
function moveRow(description: string): EventRow {
  return eventRow('transport_event', description, { ...journey, vessel: {} })
}

/** Of an estimate, a state or a deadline, which the contract sends without included resources. */
function valueRow(description: string): EventRow {
  return eventRow('transport_event', description)
}

function ownEventRow(of: EventRow): EventRow {
  return { ...of, isOfContract: false }
}

const categories = {
  'Tracking requests': {
    'tracking_request.succeeded': eventRow(
      'tracking_request',
      'The shipping line knows the number: the shipment and its containers were created.',
      { tracked_object: { containers: {} } },
    ),
    'tracking_request.failed': eventRow(
      'tracking_request',
      'The request has ended without a shipment; failed_reason says why.',
    ),
    'tracking_request.awaiting_manifest': eventRow(
      'tracking_request',
      'The line does not know the number yet; Landfall polls it again daily.',
    ),
    'tracking_request.tracking_stopped': eventRow(
      'tracking_request',
      'The shipment is no longer tracked; the shipment says why.',
      { tracked_object: {} },
    ),
  },
  Origin: {
    'container.transport.empty_out': moveRow('The empty container was picked up for stuffing.'),
    'container.transport.full_in': moveRow('The full container was brought to the port of lading.'),
    'container.transport.vessel_loaded': moveRow('The container was loaded at the port of lading.'),
    'container.transport.vessel_departed': moveRow('The vessel left the port of lading with the container.'),
    'container.transport.estimated.vessel_departed': valueRow(
      'The departure from the port of lading is expected at another time.',
    ),
  },
  Transshipment: {
    'container.transport.transshipment_arrived': moveRow('The vessel arrived at a transshipment port.'),
    'container.transport.transshipment_discharged': moveRow('The container was discharged at a transshipment port.'),
    'container.transport.transshipment_loaded': moveRow('The container was loaded at a transshipment port.'),
    'container.transport.transshipment_departed': moveRow('The vessel left a transshipment port with the container.'),
    'container.transport.feeder_arrived': moveRow('A feeder or barge arrived with the container.'),
    'container.transport.feeder_discharged': moveRow('The container was discharged from a feeder or barge.'),
    'container.transport.feeder_loaded': moveRow('The container was loaded on a feeder or barge.'),
    'container.transport.feeder_departed': moveRow('A feeder or barge left with the container.'),
  },
  'Port of discharge': {
    'shipment.estimated.arrival': eventRow(
      'estimated_event',
      'The shipment is expected at the port of discharge at another time.',
      { shipment: {}, port: {} },
    ),
    'container.transport.estimated.vessel_arrived': valueRow(
      'The container is expected at the port of discharge at another time.',
    ),
    'container.transport.vessel_arrived': moveRow('The vessel arrived at the port of discharge.'),
    'container.transport.vessel_berthed': moveRow('The vessel berthed at the port of discharge.'),
    'container.transport.vessel_discharged': moveRow('The container was discharged at the port of discharge.'),
    'container.pod_terminal_changed': eventRow(
      'container_pod_terminal_changed_event',
      'The terminal at the port of discharge is known or has changed.',
      { ...ofContainer, terminal: {} },
    ),
  },
  'Rail and inland': {
    'container.transport.rail_loaded': moveRow('The container was loaded on a train.'),
    'container.transport.rail_departed': moveRow('The train left with the container.'),
    'container.transport.rail_arrived': moveRow('The train arrived at a ramp or interchange.'),
    'container.transport.rail_unloaded': moveRow('The container was unloaded from the train.'),
    'container.transport.arrived_at_inland_destination': moveRow('The container arrived at its inland destination.'),
    'container.transport.estimated.arrived_at_inland_destination': eventRow(
      'transport_event',
      'The arrival at the inland destination is expected at another time.',
      journey,
    ),
  },
  'Pick-up and return': {
    'container.transport.available': valueRow('The container can be picked up.'),
    'container.transport.not_available': valueRow('The container can no longer be picked up.'),
    'container.pickup_lfd.changed': eventRow('transport_event', 'The last free day that counts has changed.', journey),
    'container.pickup_lfd_line.changed': valueRow("The shipping line's last free day has changed."),
    'container.pickup_lfd_terminal.changed': valueRow("The terminal's last free day has changed."),
    'container.pickup_lfd_rail.changed': valueRow("The railway's last free day has changed."),
    'container.pickup_appointment.changed': valueRow('The appointment for pick-up has changed.'),
    'container.transport.full_out': moveRow('The full container was picked up.'),
    'container.transport.delivered': valueRow('The customer says that the container was delivered.'),
    'container.transport.empty_in': moveRow('The empty container was returned.'),
  },
  Containers: {
    'container.created': eventRow('container_created_event', 'A container was added to a shipment.', ofContainer),
    'container.updated': eventRow(
      'container_updated_event',
      'A value that a terminal or line reports about the container has changed; changeset says which.',
      {
        container: { pod_terminal: {}, pickup_facility: {} },
        terminal: {},
        shipment: { port_of_discharge: {} },
      },
    ),
  },
  Corrections: {
    'container.transport.corrected': ownEventRow(
      eventRow('transport_event', 'An event that was reported as happened is now reported differently.', {
        ...journey,
        vessel: {},
        previous_version: {},
      }),
    ),
    'container.transport.retracted': ownEventRow(moveRow('An event that was reported as happened was withdrawn.')),
  },
  Charges: {
    'container.charges.started': ownEventRow(
      eventRow(
        'container_charges_event',
        'The first charged day has begun, by the terms of free time on record.',
        ofContainer,
      ),
    ),
    'container.charges.changed': ownEventRow(
      eventRow(
        'container_charges_event',
        'Days, amounts or the last free day differ from the forecast, or other terms apply. A day that passes as forecast causes no event.',
        ofContainer,
      ),
    ),
    'container.charges.stopped': ownEventRow(
      eventRow('container_charges_event', 'The event that stops the clock of free time has happened.', ofContainer),
    ),
  },
  Overdue: {
    'container.overdue.started': ownEventRow(
      eventRow(
        'container_overdue_event',
        'The next event of the container is later than in 95 of 100 cases.',
        ofContainer,
      ),
    ),
    'container.overdue.ended': ownEventRow(
      eventRow(
        'container_overdue_event',
        'What was overdue was reported, or is expected at another time; ended_by says which.',
        ofContainer,
      ),
    ),
  },
  Evidence: {
    'ledger.root_made': ownEventRow(
      eventRow(
        'ledger_root',
        'The entries of the ledger since the previous root were hashed. Store the root: it shows whether an entry is changed later.',
      ),
    ),
  },
  Documents: {
    'document.extracted': eventRow('document', 'A document has been read.', papers),
    'document.extraction_failed': eventRow('document', 'A document could not be read.', papers),
  },
}

type Categories = typeof categories
export type EventName = { [Name in keyof Categories]: keyof Categories[Name] }[keyof Categories]

/**
 * Newer names of events, which only webhooks know: each webhook gets such an event by the name that it subscribed to. The
 * ledger and the feed keep the name in the table.
 */
const newerNames = {
  'document_representation.created': 'document.extracted',
  'document_representation.failed': 'document.extraction_failed',
} as const satisfies Readonly<Record<string, EventName>>
type NewerName = keyof typeof newerNames

/** A name by which a webhook can get an event. */
export type WebhookEventName = EventName | NewerName
type WebhookNames = readonly [WebhookEventName, ...WebhookEventName[]]

export interface EventCategory {
  readonly name: string
  readonly events: readonly { readonly name: WebhookEventName; readonly description: string }[]
}

/** The name in the ledger and in the feed. */
export function feedNameOf(name: WebhookEventName): EventName {
  return Object.hasOwn(newerNames, name) ? newerNames[name as NewerName] : (name as EventName)
}

export const eventTable = Object.assign({}, ...Object.values(categories)) as Readonly<Record<EventName, EventRow>>

/** Those of the ledger and the feed. */
export const eventNames = Object.keys(eventTable) as readonly EventName[]

/** The names by which webhooks can get an event, the newest first. */
export const webhookNames = Object.fromEntries(
  eventNames.map((name): readonly [EventName, WebhookNames] => {
    const newer = Object.keys(newerNames).find((each) => newerNames[each as NewerName] === name)
    return [name, newer === undefined ? [name] : [newer as NewerName, name]]
  }),
) as Readonly<Record<EventName, WebhookNames>>

/** What webhooks can subscribe to. */
export const eventCategories: readonly EventCategory[] = Object.entries(categories).map(([name, rows]) => ({
  name,
  events: Object.entries(rows).flatMap(([event, { description }]) => {
    const [newest, ...others] = webhookNames[event as EventName]
    const older = others.map((each) => ({ name: each, description: `${description} Earlier name of ${newest}.` }))
    return [{ name: newest, description }, ...older]
  }),
}))

export const contractEventNames = eventNames.filter((name) => eventTable[name].isOfContract)

export const webhookEventNames: readonly WebhookEventName[] = eventCategories.flatMap(({ events }) =>
  events.map(({ name }) => name),
)

export function isWebhookEventName(text: string): text is WebhookEventName {
  return isOneOf(webhookEventNames, text)
}
