/**
 * `landfall users list`, `users reset-link` and `users confirm-link`: who may sign in, and links for a person who gets
 * no e-mail: for a new password, and to confirm the address.
 */

import { listPeople, makeConfirmationLinksFor, makeResetLinkFor } from '../../modules/members/list-people.ts'
import { defineCommand, UsageError } from '../framework/command.ts'

export const usersList = defineCommand({
  options: { json: { type: 'boolean', about: 'print JSON' } },
  run: async ({ options, shell }) => {
    const users = await listPeople(await shell.openService())
    if (options.json) shell.print(JSON.stringify(users, null, 2))
    else
      for (const { email, name, hasTotp, accounts } of users)
        shell.print(`${email}  ${name}${hasTotp ? '  (one-time codes)' : ''}  ${accounts.join(', ')}`)
    return 0
  },
})

export const usersResetLink = defineCommand({
  about: 'The link works once, for an hour. Give it only to that person: whoever opens it can use their account.',
  operands: [{ name: 'email', about: 'e-mail address with which the person signs in' }],
  examples: ['users reset-link ada@example.com'],
  run: async ({ operands, shell }) => {
    const [email = ''] = operands
    const link = await makeResetLinkFor(await shell.openService(), email)
    if (link === null) throw new UsageError(`No person has the address ${email}.`)
    shell.print(link)
    return 0
  },
})

export const usersConfirmLink = defineCommand({
  about:
    'Alert rules send only to addresses that were confirmed. The link confirms the address in one account. Give it only to that person.',
  operands: [{ name: 'email', about: 'e-mail address with which the person signs in' }],
  examples: ['users confirm-link ada@example.com'],
  run: async ({ operands, shell }) => {
    const [email = ''] = operands
    const links = await makeConfirmationLinksFor(await shell.openService(), email)
    if (links === null) throw new UsageError(`No person has the address ${email}.`)
    for (const { companyName, link } of links) shell.print(`${companyName}  ${link ?? 'is confirmed'}`)
    return 0
  },
})
