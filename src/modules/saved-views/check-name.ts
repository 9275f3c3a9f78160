/** The name that people give a thing: without blanks around it, and not empty. */

import { refusedAt } from '../errors.ts'

export function checkSavedViewName(given: string): string {
  const name = given.trim().normalize('NFC')
  if (name !== '') return name
  throw refusedAt('/data/attributes/name', 'A name is needed.')
}
