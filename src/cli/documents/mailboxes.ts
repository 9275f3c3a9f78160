/** `landfall mailboxes …`: the addresses to which an account's documents are sent, and whose e-mail it accepts. */

import {
  createMailboxSender,
  getMailboxSenders,
  removeMailboxSender,
} from '../../modules/email-submissions/mailbox-senders.ts'
import { createMailbox, deleteMailbox, getMailboxes } from '../../modules/email-submissions/mailboxes.ts'
import { accountOption, findAccountContext } from '../access/account-named.ts'
import { defineCommand, UsageError } from '../framework/command.ts'

const options = { account: accountOption }

export const mailboxesList = defineCommand({
  options,
  run: async ({ options, shell }) => {
    const service = await shell.openService()
    const found = await getMailboxes(service, await findAccountContext(service, options.account))
    for (const { id, address, createdAt } of found) shell.print(`${id}  ${address}  since ${createdAt}`)
    if (found.length === 0) shell.log('There is no mailbox yet. Create one with mailboxes create.')
    return 0
  },
})

export const mailboxesCreate = defineCommand({
  about: 'The address cannot be guessed. Everybody who knows it can send documents to the account.',
  options,
  examples: ['mailboxes create --account "Example Imports"'],
  run: async ({ options, shell }) => {
    const service = await shell.openService()
    const { address } = await createMailbox(service, await findAccountContext(service, options.account))
    shell.print(address)
    return 0
  },
})

export const mailboxesRevoke = defineCommand({
  operands: [{ name: 'address', about: 'address of the mailbox, or its id' }],
  options,
  run: async ({ operands, options, shell }) => {
    const [named = ''] = operands
    const service = await shell.openService()
    const context = await findAccountContext(service, options.account)
    const known = await getMailboxes(service, context)
    const found = known.find(({ id, address }) => id === named || address === named.toLowerCase())
    if (found === undefined) throw new UsageError(`The account has no mailbox ${named}.`)
    await deleteMailbox(service, context, { id: found.id })
    shell.print(`E-mail to ${found.address} is no longer accepted.`)
    return 0
  },
})

export const mailboxesSendersList = defineCommand({
  options,
  run: async ({ options, shell }) => {
    const service = await shell.openService()
    const found = await getMailboxSenders(service, await findAccountContext(service, options.account))
    for (const { sender, createdAt } of found) shell.print(`${sender}  since ${createdAt}`)
    if (found.length === 0)
      shell.log('The list is empty: e-mail is accepted from everybody, but only documents are read from it.')
    return 0
  },
})

const senderOperand = [{ name: 'sender', about: 'an address, or @ and a domain' }]

export const mailboxesSendersAdd = defineCommand({
  about:
    'As soon as the list has one sender, e-mail of all others is refused. SPF or DKIM must prove the domain of the sender.',
  operands: senderOperand,
  options,
  examples: ['mailboxes senders add @forwarder.example --account "Example Imports"'],
  run: async ({ operands, options, shell }) => {
    const service = await shell.openService()
    const context = await findAccountContext(service, options.account)
    const { sender } = await createMailboxSender(service, context, { sender: operands[0] ?? '' })
    shell.print(`${sender} is on the list.`)
    return 0
  },
})

export const mailboxesSendersRemove = defineCommand({
  operands: senderOperand,
  options,
  run: async ({ operands, options, shell }) => {
    const [named = ''] = operands
    const service = await shell.openService()
    const context = await findAccountContext(service, options.account)
    const known = await getMailboxSenders(service, context)
    const found = known.find(({ sender }) => sender === named.trim().toLowerCase())
    if (found === undefined) throw new UsageError(`${named} is not on the list.`)
    await removeMailboxSender(service, context, { id: found.id })
    shell.print(`${found.sender} is no longer on the list.`)
    return 0
  },
})
