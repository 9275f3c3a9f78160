/** Draws what a share link shows: each shipment with its map, its containers and their milestones. */

import { nameDay } from '../../../src/domain/view/day-count.ts'
import { drawMap } from '../map/draw-map.ts'
import { isoDayIn, localParts } from '../parts/time.ts'
import { eventWords, statusWords } from '../words/names.ts'
import { widgetWords as words } from '../words/widget.ts'
import { h } from './dom.ts'
import type { SharedContainer, SharedDocument, SharedMilestone, SharedPort, SharedShipment } from './shared-document.ts'

interface Given {
  readonly land: GeoJSON.MultiPolygon | null
  readonly hasMap: boolean
  /** Whether the company's name is shown above. */
  readonly hasHead: boolean
}

export function drawShared(document: SharedDocument, given: Given): readonly Node[] {
  const { company_name: company, has_more: hasMore, expires_at: until } = document
  return [
    ...(company === null || !given.hasHead ? [] : [h('p', { class: 'company' }, company)]),
    ...document.shipments.map((shipment) => drawShipment(shipment, given)),
    ...(hasMore ? [h('p', { class: 'quiet' }, words.more)] : []),
    h('p', { class: 'quiet foot' }, `${words.until} ${localParts(until, 'UTC').day}. ${words.by}.`),
  ]
}

function drawShipment(shipment: SharedShipment, { land, hasMap }: Given): Node {
  const { port_of_lading: from, port_of_discharge: to, destination, vessel, containers } = shipment
  const [status, tone] = statusWords(shipment.status)
  const number = shipment.bill_of_lading_number ?? shipment.booking_number ?? ''
  const route = [from, to, destination].filter((port) => port !== null).map(nameOf)
  const ship = [vessel?.name, shipment.voyage_number && `${words.voyage} ${shipment.voyage_number}`]
  return h(
    'article',
    { 'aria-label': number },
    h('header', {}, h('h2', {}, number), h('span', { class: `badge ${tone}` }, status)),
    h('p', {}, [...new Set(route)].join(' – ')),
    h('p', { class: 'quiet' }, [shipment.shipping_line_name, ...ship].filter(Boolean).join(' · ')),
    to === null ? null : arrival(to),
    hasMap && shipment.map.features.length > 0 ? drawMap(shipment.map, land) : null,
    ...containers.map(drawContainer),
  )
}

const nameOf = ({ name, locode }: SharedPort): string => name ?? locode ?? words.unknown

function arrival({ eta_at: eta, ata_at: ata, timezone }: SharedPort): Node {
  const at = ata ?? eta
  const text = at === null ? words.unknown : momentText(at, timezone)
  const isEstimate = ata === null && at !== null
  return h(
    'p',
    { class: 'arrival' },
    h('strong', {}, `${words.arrival}: ${text}`),
    isEstimate ? h('span', { class: 'quiet' }, ` ${words.estimated}`) : null,
  )
}

function momentText(at: string, zone: string | null): string {
  const { day, hour, zone: name } = localParts(at, zone)
  return `${day} ${hour} ${name ?? words.zoneUnknown}`
}

function drawContainer(container: SharedContainer): Node {
  const [status, tone] = statusWords(container.status)
  const { free_until: limit, pickup_timezone: zone, available_for_pickup: available } = container
  const today = isoDayIn(Date.now(), zone)
  const facts = [
    ...(limit === null ? [] : [`${words.lastFreeDay}: ${nameDay(limit, today)}`]),
    ...(available === null ? [] : [words.available[String(available)] ?? '']),
  ]
  return h(
    'details',
    {},
    h(
      'summary',
      {},
      h('span', { class: 'number' }, container.number),
      ' ',
      h('span', { class: `badge ${tone}` }, status),
      ' ',
      h('span', { class: 'quiet' }, facts.join(' · ')),
    ),
    h('ol', { 'aria-label': `${words.journey}: ${container.number}` }, ...container.milestones.map(drawMilestone)),
  )
}

function drawMilestone({ event, classifier, at, timezone, place, locode, vessel }: SharedMilestone): Node {
  const where = [place ?? locode, vessel?.name].filter(Boolean).join(' · ')
  return h(
    'li',
    { class: classifier },
    h('span', { class: 'at' }, at === null ? words.unknown : momentText(at, timezone)),
    h('span', {}, `${eventWords(event)}${classifier === 'actual' ? '' : ` (${words[classifier]})`}`),
    h('span', { class: 'quiet' }, where),
  )
}
