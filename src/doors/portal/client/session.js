/** The session of the signed-in person. The page is served with its token, which only this page can use. */

/** @returns {string | null} */
export function readSession() {
  const meta = document.querySelector('meta[name="landfall-session"]')
  return meta instanceof HTMLMetaElement && meta.content !== '' ? meta.content : null
}
