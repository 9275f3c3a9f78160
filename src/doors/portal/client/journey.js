/**
 * A container's journey as a vertical line of events, grouped by place. A value that was corrected stays visible below.
 */
import { h } from './dom.js'
import { momentOf, related, relatedOne, sourceOf, textOf } from './reading.js'
import { localParts, localTime, ourTime } from './time.js'
import { eventWords, isEstimate, sourceWords } from './words.js'

/** @typedef {import('./reading.js').Document} Document */
/** @typedef {import('./reading.js').Resource} Resource */

/**
 * @param {Document} document
 * @param {Resource} box
 */
export function journey(document, box) {
  const visits = visitsOf(document, related(document, box, 'transport_events'))
  return h(
    'section',
    { class: 'journey', 'aria-labelledby': 'journey-title' },
    h('h3', { id: 'journey-title' }, 'Journey'),
    h(
      'p',
      { class: 'legend quiet' },
      h('span', { class: 'mark actual' }, 'happened'),
      h('span', { class: 'mark estimated' }, 'estimated'),
      h('s', null, 'corrected since'),
    ),
    visits.length === 0 && h('p', { class: 'quiet' }, 'Nothing has been said of its journey yet.'),
    h(
      'ol',
      { class: 'visits' },
      visits.map(({ place, code, events }) =>
        h(
          'li',
          null,
          h('h4', null, place, ' ', code !== place && h('span', { class: 'code' }, code)),
          h(
            'ol',
            { class: 'events' },
            events.map((event) => row(document, event)),
          ),
        ),
      ),
    ),
  )
}

/**
 * Consecutive events at the same place are one visit.
 * @param {Document} document
 * @param {readonly Resource[]} events
 */
function visitsOf(document, events) {
  /** @type {{place: string, code: string | null, events: Resource[]}[]} */
  const visits = []
  for (const event of events) {
    const code = textOf(event, 'location_locode')
    const location = relatedOne(document, event, 'location')
    const place = (location === null ? null : textOf(location, 'name')) ?? code ?? 'Place not known'
    const last = visits.at(-1)
    // An event without a place (for example a deadline) belongs to the place where the container is.
    if (last !== undefined && (code === null || last.code === code)) last.events.push(event)
    else visits.push({ place, code, events: [event] })
  }
  return visits
}

/**
 * @param {Document} document
 * @param {Resource} event
 */
function row(document, event) {
  const name = textOf(event, 'event') ?? ''
  const estimated = isEstimate(name)
  const value = textOf(event, 'value')
  const [vessel, terminal] = [relatedOne(document, event, 'vessel'), relatedOne(document, event, 'terminal')]
  const voyage = textOf(event, 'voyage_number')
  const where = [
    vessel === null ? null : textOf(vessel, 'name'),
    voyage === null ? null : `voyage ${voyage}`,
    terminal === null ? null : textOf(terminal, 'name'),
  ].filter(Boolean)
  return h(
    'li',
    { class: `event ${estimated ? 'estimated' : 'actual'}`, 'data-key': event.id },
    h('span', { class: 'at' }, timeOf(document, event)),
    h(
      'div',
      { class: 'what' },
      h(
        'p',
        { class: 'name' },
        eventWords(name),
        value !== null && `: ${value}`,
        estimated && h('span', { class: 'estimate-word' }, 'estimated'),
      ),
      where.length > 0 && h('p', { class: 'quiet' }, where.join(' · ')),
      whoSaid(document, event),
      earlier(document, event),
    ),
  )
}

/**
 * The time of an event. When a source gave only a day, only the day is shown.
 * @param {Document} document
 * @param {Resource} event
 */
function timeOf(document, event) {
  const at = momentOf(event)
  if (at === null) return h('span', { class: 'quiet' }, 'no time')
  const said = relatedOne(document, event, 'source_event')
  const isDay = said !== null && textOf(said, 'actual_at') === null && textOf(said, 'estimated_at') === null
  return localTime(at, textOf(event, 'timezone'), { isDay: isDay && saysDay(said, event, at) })
}

/**
 * @param {Resource} said
 * @param {Resource} event
 * @param {string} at
 */
function saysDay(said, event, at) {
  const hasDay = textOf(said, 'actual_on') !== null || textOf(said, 'estimated_on') !== null
  const { hour } = localParts(at, textOf(event, 'timezone'))
  return hasDay && hour === '00:00'
}

/**
 * @param {Document} document
 * @param {Resource} event
 */
function whoSaid(document, event) {
  const said = relatedOne(document, event, 'source_event')
  const source = sourceWords(sourceOf(event))
  if (said === null) return h('p', { class: 'proof' }, `Said by: ${source}`)
  const original = textOf(said, 'original_event')
  const read = textOf(said, 'created_at')
  return h(
    'p',
    { class: 'proof' },
    h(
      'button',
      { type: 'button', class: 'link', 'data-action': 'show-claim', 'data-claim': said.id },
      `Said by ${textOf(said, 'data_provider_name') ?? source}`,
    ),
    ` (${source}${original === null ? '' : `, “${original}”`})`,
    read !== null && [', read ', ourTime(read)],
  )
}

/**
 * The earlier version of an event, struck through, below the event that replaced it.
 * @param {Document} document
 * @param {Resource} event
 * @returns {HTMLElement | null}
 */
function earlier(document, event) {
  const before = relatedOne(document, event, 'previous_version')
  if (before === null) return null
  const since = textOf(before, 'invalidated_at')
  const at = textOf(before, 'timestamp')
  const isSamePlace = textOf(before, 'location_locode') === textOf(event, 'location_locode')
  return h(
    'div',
    { class: 'earlier', 'data-key': before.id },
    h(
      's',
      null,
      at === null ? 'no time' : localTime(at, textOf(before, 'timezone')),
      !isSamePlace && ` at ${textOf(before, 'location_locode')}`,
    ),
    h('p', { class: 'quiet' }, 'replaced by the above', since !== null && [' on ', ourTime(since)]),
    earlier(document, before),
  )
}
