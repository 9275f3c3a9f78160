/**
 * How many rows a test puts beside what must stay quick. `npm test` makes a part of them, `npm run qa -- all --brief` all
 * (LANDFALL_TEST_SCALE=full). What is asserted is the same, so a part has to be more than what it allows.
 */

const isFull = process.env['LANDFALL_TEST_SCALE'] === 'full'

/** A tenth when no part is given. */
export function atScale(full: number, part = full / 10): number {
  return isFull ? full : part
}

/** For a test of which others in its file are the small part: `npm test` leaves it to `npm run qa -- all --brief`. */
export const inFull = isFull ? {} : { skip: 'left to npm run qa -- all --brief' }
