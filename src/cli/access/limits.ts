/**
 * `landfall limits list` and `landfall limits set`: limits for single accounts, which replace those of the settings.
 */

import { type Bucket, buckets, limitsBySettings } from '../../modules/usage/buckets.ts'
import { listOwnRateLimits, perMinuteMax, setRateLimit } from '../../modules/usage/set-rate-limit.ts'
import { defineCommand, UsageError } from '../framework/command.ts'

export const limitsList = defineCommand({
  options: { json: { type: 'boolean', about: 'print JSON' } },
  run: async ({ options, shell }) => {
    const service = await shell.openService()
    const bySettings = limitsBySettings(service.config)
    const accountLimits = await listOwnRateLimits(service)
    if (options.json) {
      shell.print(JSON.stringify({ by_settings: bySettings, of_accounts: accountLimits }, null, 2))
      return 0
    }
    for (const bucket of buckets) shell.print(`${bucket}  ${writeLimit(bySettings[bucket])}`)
    for (const { accountId, companyName, bucket, perMinute } of accountLimits)
      shell.print(`${accountId}  ${companyName}  ${bucket}  ${writeLimit(perMinute)}`)
    return 0
  },
})

export const limitsSet = defineCommand({
  about:
    'The limit is used within five seconds, in every process. 0: no limit. "settings": the account uses the limit of the settings again.',
  operands: [
    { name: 'account', about: 'id of the account' },
    { name: 'bucket', about: 'what is limited', oneOf: buckets },
    { name: 'limit', about: 'requests in any 60 seconds, or "settings"' },
  ],
  examples: ['limits set 018f0000-0000-7000-8000-000000000000 create 1000'],
  run: async ({ operands, shell }) => {
    const [accountId = '', name = '', limit = ''] = operands
    const bucket = buckets.find((each): each is Bucket => each === name)
    if (bucket === undefined || !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(accountId))
      throw new UsageError(`${accountId} is not the id of an account.`)
    if (limit !== 'settings' && !/^\d{1,7}$/.test(limit))
      throw new UsageError(`${limit} is not a limit. Give a whole number up to ${perMinuteMax}, or settings.`)
    const perMinute = limit === 'settings' ? null : Number(limit)
    await setRateLimit(await shell.openService(), { accountId, bucket, perMinute })
    shell.print(
      perMinute === null
        ? `${bucket} of ${accountId}: the limit of the settings.`
        : `${bucket} of ${accountId}: ${writeLimit(perMinute)}.`,
    )
    return 0
  },
})

function writeLimit(perMinute: number): string {
  return perMinute === 0 ? 'no limit' : `${perMinute} in any 60 seconds`
}
