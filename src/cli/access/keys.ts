/** `landfall keys create`, `list` and `delete`: lets the operator manage the API keys of an account. */

import { deleteApiKey, listApiKeys } from '../../modules/api-keys/api-keys.ts'
import { issueApiKey } from '../../modules/api-keys/create-api-key.ts'
import { defineCommand, UsageError } from '../framework/command.ts'
import { accountOption, findAccountContext } from './account-named.ts'

export const keysCreate = defineCommand({
  about: 'The key is printed once, on standard output; only a hash of it is kept.',
  operands: [{ name: 'name', about: 'name of the key: its purpose' }],
  options: {
    account: accountOption,
    'read-only': { type: 'boolean', about: 'the key may only read' },
    admin: { type: 'boolean', about: 'the key may also manage keys and members, and read the audit log' },
    origins: {
      type: 'string',
      value: '<https://…,https://…>',
      about: 'creates a publishable key, for journeys embedded in web pages of these origins',
    },
    expires: { type: 'string', value: '<day>', about: 'last day of the key, such as 2027-01-31 (UTC)' },
  },
  examples: ['keys create "Warehouse system"', 'keys create "Our shop" --origins https://www.example.com'],
  run: async ({ operands, options, shell }) => {
    const { expires, origins } = options
    if (expires !== null && !/^\d{4}-\d{2}-\d{2}$/.test(expires))
      throw new UsageError(`${expires} is not a day. Write it like 2027-01-31.`)
    const service = await shell.openService()
    const context = await findAccountContext(service, options.account)
    const { key, id } = await issueApiKey(service, context, {
      name: operands[0] ?? '',
      kind: origins === null ? 'secret' : 'publishable',
      scopes: options['read-only'] ? ['read'] : ['read', 'write', ...(options.admin ? ['admin' as const] : [])],
      allowedOrigins: origins === null ? [] : origins.split(','),
      expiresAt: expires === null ? null : `${expires}T23:59:59Z`,
    })
    shell.log(`Key ${id} of ${context.account.companyName}, shown only now:`)
    shell.print(key)
    return 0
  },
})

export const keysList = defineCommand({
  options: { account: accountOption, json: { type: 'boolean', about: 'print JSON' } },
  run: async ({ options, shell }) => {
    const service = await shell.openService()
    const context = await findAccountContext(service, options.account)
    const keys = await listApiKeys(service, context)
    if (options.json) {
      shell.print(JSON.stringify(keys, null, 2))
      return 0
    }
    for (const key of keys) {
      const may = key.kind === 'publishable' ? `publishable: ${key.allowedOrigins.join(' ')}` : key.scopes.join('+')
      const used = key.lastUsedAt === null ? 'never used' : `used ${key.lastUsedAt.slice(0, 16)}Z`
      const end = key.expiresAt === null ? '' : `  until ${key.expiresAt.slice(0, 10)}`
      shell.print(`${key.id}  ${key.prefix}…${key.lastFour}  ${may}  ${used}${end}  ${key.name}`)
    }
    return 0
  },
})

export const keysDelete = defineCommand({
  about: 'The key stops working within five seconds.',
  operands: [{ name: 'id', about: 'as `keys list` shows it' }],
  options: { account: accountOption },
  examples: ['keys delete 018f0000-0000-7000-8000-000000000000'],
  run: async ({ operands, options, shell }) => {
    const [id = ''] = operands
    if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) throw new UsageError(`${id} is not the id of a key.`)
    const service = await shell.openService()
    await deleteApiKey(service, await findAccountContext(service, options.account), { id })
    shell.print(`Deleted ${id}.`)
    return 0
  },
})
