/** The straits and canals that the sea network names. A caller can request a route that avoids some of them. */

/** The order gives the numbers in the network's file: add new ones only at the end. */
export const seaPassages = [
  'babalmandab',
  'bosporus',
  'chili',
  'dardanelles',
  'gibraltar',
  'malacca',
  'ormuz',
  'panama',
  'south_africa',
  'suez',
  'sunda',
  'kiel',
] as const
export type SeaPassage = (typeof seaPassages)[number]
