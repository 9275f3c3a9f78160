/** `landfall fields check`: lists the patterns of custom fields that are stored but no longer enforced. */

import { listUnenforcedPatterns } from '../../modules/custom-fields/list-unenforced-patterns.ts'
import { defineCommand } from '../framework/command.ts'

export const fieldsCheck = defineCommand({
  about:
    'Patterns are checked by RE2. A pattern that an earlier version stored and that RE2 refuses is kept, but no value is checked by it until its account writes another pattern. Exits with 1 if there is such a pattern.',
  options: { json: { type: 'boolean', about: 'print JSON' } },
  run: async ({ options, shell }) => {
    const found = await listUnenforcedPatterns(await shell.openService())
    if (options.json) shell.print(JSON.stringify(found, null, 2))
    else
      for (const { accountId, companyName, entityType, apiSlug, pattern, fault } of found)
        shell.print(`${accountId}  ${companyName}  ${entityType} ${apiSlug}  ${pattern}  ${fault}`)
    if (found.length === 0) shell.log('Every pattern is checked.')
    return found.length === 0 ? 0 : 1
  },
})
