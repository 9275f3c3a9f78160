/**
 * Which parts of the line's answers about a shipment could not be read or believed: what is missing because of this,
 * and where the parts are.
 */
import { h } from './dom.js'
import { resources, textOf } from './reading.js'
import { ourTime } from './time.js'

/** @typedef {import('./reading.js').Document} Document */
/** @typedef {import('./reading.js').Resource} Resource */

/** @type {Readonly<Record<string, string>>} */
const losses = {
  answer: 'a whole answer',
  event: 'an event',
  field: 'a part of an event',
  nothing: 'nothing, it was read all the same',
}
const columns = ['Missing by it', 'What', 'Where in the answer', 'Seen', 'Last']

/** @param {Document | null} document */
export function issues(document) {
  if (document === null) return null
  const rows = resources(document)
  const total = /** @type {{readonly total?: unknown} | undefined} */ (document.meta)?.total ?? rows.length
  if (rows.length === 0)
    return h('p', { class: 'quiet issues' }, 'All that the line answered about it was understood.')
  return h(
    'details',
    { class: 'claims issues', 'data-key': 'issues' },
    h('summary', null, h('h3', null, 'What could not be read'), ` ${total}, seen last first`),
    h(
      'p',
      { class: 'quiet' },
      'The answers are kept as they came: when their reading is mended, what is missing comes back.',
    ),
    table(
      columns,
      rows.map((each) => [
        losses[textOf(each, 'lost') ?? ''] ?? 'not on record',
        `${kindWords(textOf(each, 'kind'))}: ${textOf(each, 'detail') ?? ''}`,
        placeOf(each),
        `${each.attributes['count']}×`,
        ourTime(textOf(each, 'last_seen_at') ?? ''),
      ]),
      'Issues',
    ),
  )
}

/** @param {string | null} kind */
export function kindWords(kind) {
  return (kind ?? '').replaceAll('_', ' ')
}

/** @param {Resource} issue */
function placeOf(issue) {
  const pointer = issue.attributes['pointer']
  if (typeof pointer !== 'string') return '–'
  const page = issue.attributes['page']
  return `${page === 1 || page === null ? '' : `page ${page} `}${pointer || 'the whole'}`
}

/**
 * @param {readonly string[]} titles
 * @param {readonly (readonly import('./dom.js').Child[])[]} rows
 * @param {string} label
 */
export function table(titles, rows, label) {
  const head = h(
    'tr',
    null,
    titles.map((title) => h('th', { scope: 'col' }, title)),
  )
  const body = rows.map((cells) =>
    h(
      'tr',
      null,
      cells.map((cell) => h('td', null, cell)),
    ),
  )
  return h(
    'div',
    { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': label },
    h('table', null, h('thead', null, head), h('tbody', null, body)),
  )
}
