/**
 * The API key. It is stored for this tab only and never shown in full. It is taken from an address only on this same
 * machine.
 */

const name = 'landfall-key'
const loopbackHosts = ['localhost', '127.0.0.1', '[::1]']

/** @returns {string | null} */
export function readKey() {
  return sessionStorage.getItem(name)
}

/** @param {string} key */
export function keepKey(key) {
  sessionStorage.setItem(name, key)
}

export function forgetKey() {
  sessionStorage.removeItem(name)
}

/**
 * Takes the key from `#key=…`, which is used for screenshots and first steps. The key is always removed from the
 * address at once. It is stored only when the page came from this machine and has no key yet, so that a link cannot
 * bring anybody into another account.
 */
export function takeKeyFromAddress() {
  const fragment = new URLSearchParams(location.hash.slice(1))
  const key = fragment.get('key')
  if (key === null) return
  fragment.delete('key')
  history.replaceState(null, '', `${location.pathname}${fragment.size > 0 ? `#${fragment}` : ''}`)
  if (loopbackHosts.includes(location.hostname) && readKey() === null) keepKey(key)
}

/** @param {string} key */
export function maskKey(key) {
  return `${key.slice(0, 8)}…${key.slice(-4)}`
}
