/**
 * `landfall oauth keys` and `oauth rotate-key`: shows the keys of the authorization server, and makes a new one early.
 */

import { listSigningKeyViews, rotateKeys } from '../../modules/oauth-apps/signing-keys.ts'
import { defineCommand } from '../framework/command.ts'

export const oauthKeys = defineCommand({
  about: 'Shows their ids and times, the newest first; never the keys themselves.',
  options: { json: { type: 'boolean', about: 'print JSON' } },
  run: async ({ options, shell }) => {
    const keys = await listSigningKeyViews(await shell.openService())
    if (options.json) shell.print(JSON.stringify(keys, null, 2))
    else for (const { kid, state, signsFrom } of keys) shell.print(`${kid}  ${state}  signs from ${signsFrom}`)
    return 0
  },
})

export const oauthRotateKey = defineCommand({
  about: `The new key is published at once and signs a day later. The old key stays published until the last token that it signed
has expired. Landfall also does this by itself every LANDFALL_OAUTH_SIGNING_KEY_DAYS. Nobody has to sign in again.`,
  options: {
    'at-once': {
      type: 'boolean',
      about: 'delete the old keys and sign with the new key now; use it if somebody else may have an old key',
    },
  },
  examples: ['oauth rotate-key', 'oauth rotate-key --at-once'],
  run: async ({ options, shell }) => {
    const service = await shell.openService()
    const isAtOnce = options['at-once']
    const isNew = await rotateKeys(service, isAtOnce ? 'by_hand_at_once' : 'by_hand')
    const [newest] = await listSigningKeyViews(service)
    if (newest === undefined) throw new Error('there is no key')
    const { kid, signsFrom } = newest
    if (!isNew) shell.print(`${kid} is already published and signs from ${signsFrom}.`)
    else if (isAtOnce) shell.print(`${kid} signs now; running processes use it within a minute.`)
    else shell.print(`${kid} is published now and signs from ${signsFrom}.`)
    return 0
  },
})
