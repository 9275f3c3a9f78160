/** The name of a company as it is kept: without blanks around it, and some name at all. */

import { ServiceError } from '../errors.ts'

export function checkName(given: string): string {
  const name = given.trim()
  if (name !== '') return name
  throw new ServiceError('invalid', 'A party needs a company name.', {
    source: { pointer: '/data/attributes/company_name' },
  })
}
