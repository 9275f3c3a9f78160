/** The session of a person who is signed in, as the page was served with it: a token that is of use to this page alone. */

/** @returns {string | null} */
export function readSession() {
  const meta = document.querySelector('meta[name="landfall-session"]')
  return meta instanceof HTMLMetaElement && meta.content !== '' ? meta.content : null
}
