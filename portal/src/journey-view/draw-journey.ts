/** Draws a journey: the map, what is not known, and each container with the times of its milestones. */

import { nameDay } from '../../../src/domain/view/day-count.ts'
import { drawMap } from '../map/draw-map.ts'
import { isPort, isVessel } from '../map/map-document.ts'
import { localParts } from '../parts/time.ts'
import { h } from '../widget/dom.ts'
import { journeyViewWords as words } from '../words/journey-view.ts'
import { mapWords } from '../words/map.ts'
import { eventWords, statusWords } from '../words/names.ts'
import type { ShownContainer, ShownJourney, ShownMilestone } from './shown-journey.ts'

export function drawJourney(journey: ShownJourney, land: GeoJSON.MultiPolygon): readonly Node[] {
  const { number, status, line, containers, containers_total: total, features, unknown } = journey
  const [statusText, tone] = statusWords(status)
  return [
    h(
      'header',
      {},
      h('h1', {}, number ?? words.noNumber),
      h('span', { class: `badge ${tone}` }, statusText),
      h('span', { class: 'quiet' }, line),
    ),
    ...drawRoute(features, land),
    ...(unknown.length === 0
      ? []
      : [
          h(
            'section',
            { class: 'unknown', 'aria-label': words.unknownTitle },
            h('h2', {}, words.unknownTitle),
            h('ul', {}, ...unknown.map((sentence) => h('li', {}, sentence))),
          ),
        ]),
    ...containers.map((each, index) => drawContainer(each, index === 0)),
    ...(total > containers.length ? [h('p', { class: 'quiet' }, words.more(total - containers.length))] : []),
  ]
}

function drawRoute(features: ShownJourney['features'], land: GeoJSON.MultiPolygon): readonly Node[] {
  if (!features.some((each) => isPort(each) || isVessel(each)))
    return [h('p', { class: 'quiet none' }, mapWords.nothing)]
  const ships = features.filter(isVessel).map(({ properties }) => {
    const { day, hour } = localParts(properties.vessel_location_timestamp, 'UTC')
    return h('li', {}, mapWords.ship(properties.vessel_name, `${day} ${hour} UTC`, properties.estimated))
  })
  return [
    drawMap({ type: 'FeatureCollection', features }, land),
    h(
      'p',
      { class: 'quiet keys' },
      h('span', { class: 'key' }, mapWords.past),
      h('span', { class: 'key planned' }, mapWords.planned),
    ),
    ...(ships.length === 0 ? [] : [h('ul', { class: 'ships', 'aria-label': words.ships }, ...ships)]),
  ]
}

function drawContainer({ number, status, milestones }: ShownContainer, isOpen: boolean): Node {
  const [statusText, tone] = statusWords(status)
  return h(
    'details',
    isOpen ? { open: '' } : {},
    h('summary', {}, h('strong', {}, number), ' ', h('span', { class: `badge ${tone}` }, statusText)),
    milestones.length === 0 ? h('p', { class: 'quiet' }, words.noMilestones) : drawTable(number, milestones),
  )
}

/** A narrow window scrolls the table, also by keys. */
function drawTable(number: string, milestones: readonly ShownMilestone[]): Node {
  const label = words.milestonesOf(number)
  return h(
    'div',
    { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': label },
    h(
      'table',
      {},
      h('thead', {}, h('tr', {}, ...words.columns.map((each) => h('th', { scope: 'col' }, each)))),
      h('tbody', {}, ...milestones.map(drawMilestone)),
    ),
  )
}

function drawMilestone(milestone: ShownMilestone): Node {
  const { event, place, locode, timezone, vessel, voyage } = milestone
  const ship = [vessel, voyage === null ? null : `${words.voyage} ${voyage}`].filter(Boolean).join(' · ')
  const cell = (at: string | null, none: string): Node =>
    at === null ? h('td', { class: 'quiet' }, none) : h('td', {}, momentText(at, timezone))
  return h(
    'tr',
    { class: milestone.actual_at === null ? 'ahead' : 'done' },
    h('th', { scope: 'row' }, eventWords(event), ship === '' ? null : h('span', { class: 'quiet ship-of' }, ship)),
    h('td', {}, place ?? locode ?? words.unknown),
    cell(milestone.planned_at, words.unknown),
    cell(milestone.estimated_at, words.unknown),
    cell(milestone.actual_at, words.notReported),
  )
}

function momentText(at: string, zone: string | null): string {
  if (/^\d{4}-\d{2}-\d{2}$/.test(at)) return nameDay(at, '')
  const { day, hour, zone: name } = localParts(at, zone)
  return `${day} ${hour} ${name ?? words.zoneUnknown}`
}
