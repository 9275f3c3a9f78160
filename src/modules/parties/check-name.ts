/** The name of a company as it is stored: without blanks around it, and not empty. */

import { refusedAt } from '../errors.ts'

export function checkPartyCompanyName(given: string): string {
  const name = given.trim()
  if (name !== '') return name
  throw refusedAt('/data/attributes/company_name', 'A party needs a company name.')
}
