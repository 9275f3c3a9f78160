// The settings about how much an account or an address may use, and which store counts the requests; a group of the
// table in `settings.ts`.
import { choice, integer, perMinute, type Setting, valkeyUrl } from './setting.ts'

export const limitSettings = {
  defaultPerMinute: perMinute('LANDFALL_RATE_LIMIT_DEFAULT', 100, 'of all kinds that have no limit of their own'),
  createPerMinute: perMinute(
    'LANDFALL_RATE_LIMIT_CREATE',
    100,
    'that create a tracking request; each item of a batch counts',
  ),
  inferPerMinute: perMinute('LANDFALL_RATE_LIMIT_INFER', 200, 'that infer a carrier from a number'),
  refreshPerMinute: perMinute('LANDFALL_RATE_LIMIT_REFRESH', 10, 'that refresh a container or try an access'),
  rehearsePerMinute: perMinute(
    'LANDFALL_RATE_LIMIT_REHEARSE',
    1_000,
    'that try a batch without creating anything (dry run); each item counts',
  ),
  embedPerMinute: perMinute('LANDFALL_RATE_LIMIT_EMBED', 100, 'with its publishable keys'),
  peoplePerMinute: perMinute('LANDFALL_RATE_LIMIT_PEOPLE', 300, 'from the portal of people who are signed in'),
  sharedPerMinute: integer(
    'LANDFALL_RATE_LIMIT_SHARED',
    { fallback: 120, min: 0, max: 100_000 },
    'Requests for share links from one network address in any 60 seconds, counted at each process. For one link, all addresses together may make ten times as many. 0: no limit.',
  ),
  connectionsPerAddress: integer(
    'LANDFALL_CONNECTIONS_PER_ADDRESS',
    { fallback: 512, min: 0, max: 1_000_000 },
    'Connections that one network address (IPv6: one network of 64 bits) may have open at each server. Trusted proxies are not counted. 0: no limit.',
  ),
  store: choice(
    'LANDFALL_RATE_LIMIT_STORE',
    ['auto', 'memory', 'database'],
    'auto',
    'Where requests are counted. auto: in Valkey if LANDFALL_VALKEY_URL is set; else in the database if DATABASE_URL is set or LANDFALL_ROLE is not all; else in the memory of the one process.',
  ),
  valkeyUrl: valkeyUrl('LANDFALL_VALKEY_URL', 'Valkey or Redis, to count requests for many processes.'),
  patternMsPerMinute: integer(
    'LANDFALL_PATTERN_MS_PER_MINUTE',
    { fallback: 1_000, min: 0, max: 60_000 },
    'Milliseconds per minute that this process spends on the patterns of the custom fields of one account; 0: no limit.',
  ),
  webhooksMax: integer(
    'LANDFALL_WEBHOOKS_MAX',
    { fallback: 100, min: 1, max: 10_000 },
    'How many webhooks one account may have. A lower limit deletes no webhook.',
  ),
  failedKeysPerMinute: integer(
    'LANDFALL_FAILED_KEYS_PER_MINUTE',
    { fallback: 30, min: 0, max: 100_000 },
    'Wrong API keys that one network address may send in any 60 seconds; then it is answered with 429. 0: no limit.',
  ),
} as const satisfies Record<string, Setting<unknown>>
