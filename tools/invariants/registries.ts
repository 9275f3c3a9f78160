/** Names that the program itself has in a list: each is taken from that list, or from what the code makes by it. */

import { cookieNames, setCookie } from '../../src/api/http/cookies.ts'
import type { Exchange } from '../../src/api/http/exchange.ts'
import { writeCursor } from '../../src/api/query/order.ts'
import { errorTable } from '../../src/api/shape/error-table.ts'
import { writeCursor as writeStandardCursor } from '../../src/dcsa-out/cursor.ts'
import { eventTable, feedNameOf, webhookEventNames } from '../../src/domain/changes/event-table.ts'
import { isApiKey, keyKinds, makeApiKey } from '../../src/modules/api-keys/api-key.ts'
import { allScopes, offlineScope } from '../../src/modules/oauth-apps/token-scopes.ts'
import type { Service } from '../../src/modules/service.ts'
import { jobKinds } from '../../src/pipeline/jobs/list-jobs.ts'
import type { BusinessEvent } from '../../src/platform/business-event.ts'
import { businessEvents } from '../../src/platform/business-events.ts'
import { readConfig } from '../../src/platform/config.ts'
import { LANDFALL_NAMESPACE, uuidV5 } from '../../src/platform/ids.ts'
import { createLog, logEvents } from '../../src/platform/log.ts'
import { createMetrics } from '../../src/platform/metrics.ts'
import type { Setting } from '../../src/platform/setting.ts'
import { settings } from '../../src/platform/settings.ts'
import type { Group } from './dump-text.ts'

const service = { config: readConfig({}) } as unknown as Service // safe: only the settings are read

export async function registryGroups(): Promise<readonly Group[]> {
  const counted = Object.values(businessEvents)
  return [
    {
      title: 'cookies',
      lines: cookieNames.flatMap((name) => [true, false].map((isSecure) => cookie(name, isSecure))),
    },
    { title: 'cursors', lines: cursors() },
    {
      title: 'error codes',
      lines: Object.entries(errorTable).map(([code, { status }]) => `${code} ${status}`),
    },
    {
      title: 'ids',
      lines: [`namespace ${LANDFALL_NAMESPACE}`, `v5 of a name ${uuidV5(LANDFALL_NAMESPACE, 'a name')}`],
    },
    { title: 'job kinds', lines: jobKinds },
    { title: 'API keys', lines: keyKinds.map(apiKey) },
    { title: 'log events', lines: logEvents },
    {
      title: 'log events that are counted, with labels',
      lines: counted.map(({ event, labels }) => `${event} {${labels.join(', ')}}`),
    },
    { title: 'metrics', lines: await metrics() },
    { title: 'OAuth scopes', lines: [...allScopes, offlineScope] },
    {
      title: 'settings',
      lines: Object.values(settings).flatMap((group) => Object.values(group).map(settingLine)),
    },
    {
      title: 'webhook events',
      lines: webhookEventNames.map((name) => (eventTable[feedNameOf(name)].isOfContract ? name : `${name} (own)`)),
    },
  ]
}

/** As it is sent, to a browser that came by HTTPS or not. */
function cookie(name: (typeof cookieNames)[number], isSecure: boolean): string {
  let sent = ''
  const reply = {
    header: (_: string, value: string) => {
      sent = value
    },
  }
  const exchange = { request: { protocol: isSecure ? 'https' : 'http' }, reply } as unknown as Exchange
  setCookie(service, exchange, { name, value: 'x' })
  return sent
}

function cursors(): readonly string[] {
  const position = { value: 'value', tie: '1', id: 'id' }
  return [
    ['API', writeCursor('order', position)],
    ['API without tie', writeCursor('order', { ...position, tie: null })],
    ['DCSA', writeStandardCursor({ limit: '1' }, position)],
  ].map(([name, cursor = '']) => `${name}: ${cursor} = ${Buffer.from(cursor, 'base64url')}`)
}

function apiKey(kind: (typeof keyKinds)[number]): string {
  const key = makeApiKey(kind)
  const prefix = key.slice(0, key.lastIndexOf('_') + 1)
  return `${kind} ${prefix} and ${key.length - prefix.length} characters${isApiKey(key, kind) ? '' : ', not accepted'}`
}

/** Without those of Node and of the process, which the library names. A series of an event appears with the first one. */
async function metrics(): Promise<readonly string[]> {
  const page = await createMetrics(createLog({ level: 'silent' })).write()
  const shown = [...page.matchAll(/^# TYPE (landfall_\S+) (\S+)$/gm)].map(([, name, type]) => `${name} ${type}`)
  const counted = Object.values<BusinessEvent>(businessEvents).flatMap(({ event, secondsBy }) => {
    const name = `landfall_${event.replaceAll('.', '_')}`
    return [`${name}_total counter`, ...(secondsBy === undefined ? [] : [`${name}_seconds histogram`])]
  })
  return [...new Set([...shown, ...counted])]
}

function settingLine({ variable, fallback, accepts }: Setting<unknown>): string {
  return `${variable} = ${JSON.stringify(fallback)} (${accepts})`
}
