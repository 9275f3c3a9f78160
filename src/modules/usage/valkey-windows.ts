/**
 * Rolling minutes in Valkey or Redis: a list of times for each account and bucket. One script counts them, so the count
 * is exact.
 */

import type { Valkey } from 'iovalkey'
import { countRecent, laterQuotaSlots, windowMs } from '../../domain/polling/rolling-window.ts'
import type { QuotaWindows } from './quota-windows.ts'

/**
 * Uses Valkey's own clock, in microseconds, which is the same for all processes. The rules are those of
 * `domain/polling/rolling-window.ts`.
 */
const script = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local limit, count = tonumber(ARGV[1]), tonumber(ARGV[2])
local written = string.format('%.0f', now)
while true do
  local oldest = redis.call('LINDEX', KEYS[1], 0)
  if not oldest or tonumber(oldest) > now - 60000000 then break end
  redis.call('LPOP', KEYS[1])
end
local held = redis.call('LLEN', KEYS[1])
for place = held - 1, 0, -1 do
  if tonumber(redis.call('LINDEX', KEYS[1], place)) <= now then break end
  redis.call('LSET', KEYS[1], place, written)
end
local free = math.max(0, math.min(count, limit - held))
local taken = free
if ARGV[3] == 'whole' and free < count then taken = 0 end
for turn = 1, taken do redis.call('RPUSH', KEYS[1], written) end
if held + taken > 0 then redis.call('PEXPIRE', KEYS[1], 61000) end
local surplus = math.max(0, held + taken - limit)
local wanted = math.min(count - free, limit)
local ages = {}
if wanted > 0 then
  for at, each in ipairs(redis.call('LRANGE', KEYS[1], surplus, surplus + wanted - 1)) do
    ages[at] = string.format('%.0f', now - tonumber(each))
  end
end
return { taken, ages }
`

/**
 * An answer takes tenths of a millisecond. A server that takes this long counts as unreachable, so that no request
 * waits longer for it.
 */
const answerWithinMs = 250
const retryEveryMs = 1_000

export interface ValkeyWindows extends QuotaWindows {
  readonly close: () => void
}

/** The client is loaded with the first store, because most installations have none. */
async function openClient(url: string): Promise<Valkey> {
  const { Valkey } = await import('iovalkey')
  const client = new Valkey(url, {
    lazyConnect: true,
    connectTimeout: answerWithinMs * 4,
    commandTimeout: answerWithinMs,
    maxRetriesPerRequest: 0,
    retryStrategy: () => retryEveryMs,
    keyPrefix: 'landfall:limits:',
  })
  // The caller that uses a slot gets the error. An error event without a listener would end the process.
  client.on('error', () => {})
  client.defineCommand('takeTurns', { numberOfKeys: 1, lua: script })
  return client
}

export function openValkeyWindows(url: string): ValkeyWindows {
  const opened = openClient(url)
  return {
    name: 'valkey',
    take: async ({ accountId, bucket, limit, count, isWhole = false }) => {
      const how = isWhole ? 'whole' : 'some'
      const answer: unknown = await runAcquireScript(await opened, [`{${accountId}}:${bucket}`, limit, count, how])
      const { acquired, agesMs } = readAnswer(answer)
      return {
        acquired,
        laterMs: laterQuotaSlots(agesMs, { limit, count: isWhole ? agesMs.length : count - acquired }),
      }
    },
    held: async ({ accountId, bucket }) => {
      const client = await opened
      const [[seconds = 0, micros = 0], times] = await Promise.all([
        client.time(),
        client.lrange(`{${accountId}}:${bucket}`, 0, -1),
      ])
      const now = Number(seconds) * 1_000_000 + Number(micros)
      return countRecent(times.map(Number), now, windowMs * 1_000)
    },
    close: () => void opened.then((client) => client.disconnect()),
  }
}

/** The command that `defineCommand` has added, which the client's type cannot know. */
function runAcquireScript(client: Valkey, values: readonly (string | number)[]): Promise<unknown> {
  const command = (client as Valkey & { readonly takeTurns?: (...given: (string | number)[]) => Promise<unknown> })
    .takeTurns
  if (command === undefined) throw new Error('the script was not defined')
  return command.call(client, ...values)
}

function readAnswer(answer: unknown): { readonly acquired: number; readonly agesMs: readonly number[] } {
  const [acquired, ages] = Array.isArray(answer) ? (answer as readonly unknown[]) : []
  if (typeof acquired !== 'number' || !Array.isArray(ages))
    throw new Error('the answer of Valkey has an unexpected form')
  return { acquired, agesMs: ages.map((age) => Number(age) / 1_000) }
}
