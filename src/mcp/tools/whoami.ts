/** `whoami`: whose key or sign-in the client has, and what the installation offers. */

import { featureNames, getMe } from '../../modules/me/get-me.ts'
import { Type } from '../../platform/json-schema.ts'
import { closed } from '../tool/inputs.ts'
import { list, object, orNull, text, textOrNull } from '../tool/schema.ts'
import { defineTool, makeResult } from '../tool/tool.ts'

const account = object({ id: text, company_name: text })

export const whoami = defineTool({
  name: 'whoami',
  title: 'Show the account',
  about: 'The account and the key or person of this connection, and what the installation offers.',
  effect: 'read',
  input: Type.Object({}, closed),
  output: object({
    kind: text,
    channel: text,
    credential_name: textOrNull,
    account,
    user: orNull(object({ id: text, email: text, name: text, role: text })),
    other_accounts: list(account),
    features: object(Object.fromEntries(featureNames.map((name) => [name, text]))),
  }),
  run: async ({ service, context }) => {
    const { kind, name, user, accounts, features } = await getMe(service, context)
    const [current, ...others] = accounts.map(({ id, companyName }) => ({ id, company_name: companyName }))
    const role = user?.isManager === true ? 'account_manager' : 'member'
    const person = user && { id: user.id, email: user.email, name: user.name, role }
    return makeResult(
      { kind, channel: 'mcp', credential_name: name, account: current, user: person, other_accounts: others, features },
      { presentation: 'Name the account.' },
    )
  },
})
