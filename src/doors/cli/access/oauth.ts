/**
 * `landfall oauth keys` and `oauth rotate-key`: shows the keys of the authorization server, and makes a new one early.
 */

import { rotateKeys, showKeys } from '../../../service/people/oauth/signing-keys.ts'
import { command } from '../frame/command.ts'

export const oauthKeys = command({
  name: 'oauth keys',
  summary: 'Show the signing keys of the authorization server',
  about: 'Their ids and times, the newest first; never the keys themselves.',
  options: { json: { type: 'boolean', about: 'print JSON' } },
  run: async ({ options, shell }) => {
    const keys = await showKeys(await shell.openService())
    if (options.json) shell.print(JSON.stringify(keys, null, 2))
    else
      for (const { kid, state, signsFrom } of keys) shell.print(`${kid}  ${state}  signs from ${signsFrom}`)
    return 0
  },
})

export const oauthRotateKey = command({
  name: 'oauth rotate-key',
  summary: 'Let the authorization server sign with a new key',
  about: `The new key is published at once and signs a day later; the old one stays published until nothing that it signed is
good any more. It happens by itself every LANDFALL_OAUTH_SIGNING_KEY_DAYS. Nobody has to sign in again.`,
  options: {
    'at-once': {
      type: 'boolean',
      about: 'the old keys are gone and the new one signs now: for one that somebody else may have',
    },
  },
  examples: ['oauth rotate-key', 'oauth rotate-key --at-once'],
  run: async ({ options, shell }) => {
    const service = await shell.openService()
    const isAtOnce = options['at-once']
    const isNew = await rotateKeys(service, isAtOnce ? 'by_hand_at_once' : 'by_hand')
    const [newest] = await showKeys(service)
    if (newest === undefined) throw new Error('there is no key')
    const { kid, signsFrom } = newest
    if (!isNew) shell.print(`${kid} is published already and signs from ${signsFrom}.`)
    else if (isAtOnce) shell.print(`${kid} signs now; running processes take it within a minute.`)
    else shell.print(`${kid} is published now and signs from ${signsFrom}.`)
    return 0
  },
})
