/**
 * "Who said it": every statement of every source about a container. Statements that were withdrawn later are marked.
 */
import { h } from './dom.js'
import { related, relatedOne, sourceOf, textOf } from './reading.js'
import { localParts, localTime, ourTime } from './time.js'
import { eventWords, sourceWords } from './words.js'

/** @typedef {import('./reading.js').Document} Document */
/** @typedef {import('./reading.js').Resource} Resource */

/**
 * @param {Document} document
 * @param {Resource} box
 * @param {string | null} claimId
 */
export function claims(document, box, claimId) {
  const said = [...related(document, box, 'raw_events')].sort((a, b) => indexOf(a) - indexOf(b))
  const believed = new Set(
    related(document, box, 'transport_events').flatMap((event) => {
      const source = relatedOne(document, event, 'source_event')
      return source === null ? [] : [source.id]
    }),
  )
  const withdrawn = said.filter((each) => textOf(each, 'invalidated_at') !== null).length
  return h(
    'details',
    { class: 'claims', id: 'claims', open: true },
    h(
      'summary',
      null,
      h('h3', null, 'Who said it'),
      ` ${said.length} statements, ${believed.size} that the journey rests on, ${withdrawn} taken back`,
    ),
    h(
      'p',
      { class: 'quiet' },
      'Nothing that a source said is ever lost: what was taken back or overtaken stays here.',
    ),
    h(
      'div',
      { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Statements' },
      h(
        'table',
        null,
        h(
          'thead',
          null,
          h(
            'tr',
            null,
            columns.map((title) => h('th', { scope: 'col' }, title)),
          ),
        ),
        h(
          'tbody',
          null,
          said.map((claim) =>
            row(claim, { isBelieved: believed.has(claim.id), isShown: claim.id === claimId }),
          ),
        ),
      ),
    ),
  )
}

const columns = ['What', 'When, at the place', 'Where', 'Ship', 'Said by', 'Read', 'Stands']

/**
 * @param {Resource} claim
 * @param {{readonly isBelieved: boolean, readonly isShown: boolean}} marks
 */
function row(claim, { isBelieved, isShown }) {
  const event = textOf(claim, 'event')
  const original = textOf(claim, 'original_event')
  const takenBack = textOf(claim, 'invalidated_at')
  const estimated = claim.attributes['estimated'] === true
  const read = textOf(claim, 'created_at')
  const [place, code] = [textOf(claim, 'location_name'), textOf(claim, 'location_locode')]
  const ship = [textOf(claim, 'vessel_name') ?? textOf(claim, 'vessel_imo'), textOf(claim, 'voyage_number')]
  const classes = [takenBack !== null && 'withdrawn', isBelieved && 'believed', isShown && 'shown'].filter(
    Boolean,
  )
  return h(
    'tr',
    { class: classes.join(' '), id: `claim-${claim.id}`, 'data-key': claim.id, tabindex: '-1' },
    h(
      'td',
      null,
      h(
        'span',
        { class: estimated ? 'mark estimated' : 'mark actual' },
        event === null ? 'No milestone' : eventWords(event),
      ),
      estimated && h('span', { class: 'estimate-word' }, 'estimated'),
      original !== null && h('code', null, original),
    ),
    h('td', null, timeOf(claim)),
    h('td', null, place, ' ', code !== place && h('span', { class: 'code' }, code)),
    h('td', null, ship.filter(Boolean).join(' · ')),
    h(
      'td',
      null,
      documentIn(claim) ?? textOf(claim, 'data_provider_name'),
      ' ',
      h('span', { class: 'quiet' }, sourceWords(sourceOf(claim))),
    ),
    h('td', null, read !== null && ourTime(read)),
    h('td', null, standing(takenBack, isBelieved)),
  )
}

/**
 * The name of the document that says so, with the page on which it is printed.
 * @param {Resource} claim
 * @returns {string | null}
 */
function documentIn(claim) {
  const said = claim.meta?.['document']
  if (said === null || typeof said !== 'object') return null
  const { name, page } = /** @type {{readonly name: string | null, readonly page: number | null}} */ (said)
  if (name === null) return null
  return page === null ? name : `${name}, page ${page}`
}

/** @param {Resource} claim */
function timeOf(claim) {
  const at = textOf(claim, 'timestamp')
  if (at === null) return null
  const zone = textOf(claim, 'timezone')
  const isDay =
    textOf(claim, 'actual_at') === null &&
    textOf(claim, 'estimated_at') === null &&
    localParts(at, zone).hour === '00:00'
  return localTime(at, zone, { isDay })
}

/**
 * @param {string | null} takenBack
 * @param {boolean} isBelieved
 */
function standing(takenBack, isBelieved) {
  if (takenBack !== null) return ['taken back ', ourTime(takenBack)]
  return isBelieved ? 'the journey rests on it' : 'said, not needed'
}

/** @param {Resource} claim */
function indexOf(claim) {
  const index = claim.attributes['index']
  return typeof index === 'number' ? index : Number.MAX_SAFE_INTEGER
}
