/** Where a person agrees to what an app asks for: the server sends there, and the page answers there. */
export const consentPath = '/oauth/consent'
