/** The straits and canals that the sea network names. A route can be asked for that avoids some of them. */

/** Their order is their number in the network's file: add only at the end. */
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
