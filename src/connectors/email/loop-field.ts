/** The header field that Landfall writes into every mail that it sends. */
export const loopField = 'X-Landfall-Loop'
