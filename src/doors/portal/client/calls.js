/** Shows what this page asked of the API, as commands for a terminal and as the JSON of the answers. */
import { h } from './dom.js'

const charactersMax = 200_000

/**
 * @param {readonly import('./api.js').Call[]} calls
 * @param {{readonly unfolded: ReadonlySet<string>, readonly maskedKey: string}} view
 */
export function calls(calls, { unfolded, maskedKey }) {
  if (calls.length === 0) return null
  return h(
    'section',
    { class: 'calls', 'aria-labelledby': 'calls-title' },
    h('h2', { id: 'calls-title' }, 'What this page asked'),
    h('p', { class: 'quiet' }, 'Your own programs get the same. ', h('code', null, `API_KEY=${maskedKey}`)),
    calls.map((call) => one(call, unfolded)),
  )
}

/**
 * @param {import('./api.js').Call} call
 * @param {ReadonlySet<string>} unfolded
 */
function one(call, unfolded) {
  const key = `${call.method} ${call.path}`
  const line = curl(call)
  return h(
    'div',
    { class: 'call', 'data-key': key },
    h('pre', { tabindex: '0', 'aria-label': 'curl line' }, h('code', null, line)),
    isSecureContext &&
      h('button', { type: 'button', class: 'small', 'data-action': 'copy', 'data-text': line }, 'Copy'),
    h(
      'details',
      { 'data-unfolds': key },
      h('summary', null, `${call.status === 0 ? 'no answer' : call.status} in ${call.durationMs} ms, JSON`),
      h('pre', { tabindex: '0' }, h('code', null, unfolded.has(key) ? json(call.answer) : '')),
    ),
  )
}

/** @param {import('./api.js').Call} call */
function curl({ method, path, body }) {
  const words = ['curl -sg', ...(method === 'GET' ? [] : [`-X ${method}`])]
  words.push(quote(location.origin + decodeURI(path)), '-H "Authorization: Token $API_KEY"')
  if (body !== null) words.push("-H 'Content-Type: application/vnd.api+json'", `-d ${quote(body)}`)
  return words.join(' ')
}

/** @param {string} word */
function quote(word) {
  return `'${word.replaceAll("'", `'\\''`)}'`
}

/** @param {unknown} answer */
function json(answer) {
  const text = JSON.stringify(answer, null, 2)
  return text.length > charactersMax ? `${text.slice(0, charactersMax)}\n… and more` : text
}
