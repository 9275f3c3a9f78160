/**
 * `landfall users list` and `users reset-link`: who may sign in, and a link for a person who cannot sign in and gets no
 * e-mail.
 */

import { listPeople, makeResetLinkFor } from '../../../service/people/users/by-operator.ts'
import { command, UsageError } from '../frame/command.ts'

export const usersList = command({
  name: 'users list',
  summary: 'Show who may sign in, and to which accounts',
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

export const usersResetLink = command({
  name: 'users reset-link',
  summary: 'Print a link with which a person chooses a new password',
  about: 'Good once and for an hour. Hand it to nobody but that person: whoever has it has their account.',
  operands: [{ name: 'email', about: 'address that the person signs in with' }],
  examples: ['users reset-link ada@example.com'],
  run: async ({ operands, shell }) => {
    const [email = ''] = operands
    const link = await makeResetLinkFor(await shell.openService(), email)
    if (link === null) throw new UsageError(`There is nobody with the address ${email}.`)
    shell.print(link)
    return 0
  },
})
