/** Where a person agrees to the request of an app: the server sends the person there, and the page answers there. */
export const consentPath = '/oauth/consent'
