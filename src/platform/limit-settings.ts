// The settings about how much an account or an address may use, and which store counts the requests; a group of the
// table in `settings.ts`.
import { choice, perMinute, type Setting, valkeyUrl, whole } from './setting.ts'

export const limitSettings = {
  defaultPerMinute: perMinute(
    'LANDFALL_RATE_LIMIT_DEFAULT',
    100,
    'of all kinds that have no bucket of their own',
  ),
  createPerMinute: perMinute(
    'LANDFALL_RATE_LIMIT_CREATE',
    100,
    'that make a tracking request; each of a batch counts',
  ),
  inferPerMinute: perMinute('LANDFALL_RATE_LIMIT_INFER', 200, 'to infer a carrier from a number'),
  refreshPerMinute: perMinute('LANDFALL_RATE_LIMIT_REFRESH', 10, 'to refresh a container'),
  rehearsePerMinute: perMinute(
    'LANDFALL_RATE_LIMIT_REHEARSE',
    1_000,
    'to try out a tracking request in the dry run of a batch; each item counts',
  ),
  embedPerMinute: perMinute('LANDFALL_RATE_LIMIT_EMBED', 100, 'with its publishable keys'),
  peoplePerMinute: perMinute(
    'LANDFALL_RATE_LIMIT_PEOPLE',
    300,
    'from the portal of people who are signed in',
  ),
  sharedPerMinute: whole(
    'LANDFALL_RATE_LIMIT_SHARED',
    { fallback: 120, min: 0, max: 100_000 },
    'Readings of share links from one address in any 60 seconds, at each process; all readers of one link together may make ten times as many; 0 is no limit.',
  ),
  connectionsPerAddress: whole(
    'LANDFALL_CONNECTIONS_PER_ADDRESS',
    { fallback: 512, min: 0, max: 1_000_000 },
    'Connections that one address (of IPv6: one network of 64 bits) may hold open at each server; trusted proxies are not counted; 0 is no limit.',
  ),
  store: choice(
    'LANDFALL_RATE_LIMIT_STORE',
    ['auto', 'memory', 'database'],
    'auto',
    'Who counts requests. auto: Valkey where LANDFALL_VALKEY_URL is set; else the database with DATABASE_URL or a role of its own; else the memory of the one process.',
  ),
  valkeyUrl: valkeyUrl('LANDFALL_VALKEY_URL', 'Valkey or Redis, to count requests for many processes.'),
  patternMsPerMinute: whole(
    'LANDFALL_PATTERN_MS_PER_MINUTE',
    { fallback: 1_000, min: 0, max: 60_000 },
    'Milliseconds of this process that the patterns of the custom fields of one account may take in a minute; 0 is no limit.',
  ),
  webhooksMax: whole(
    'LANDFALL_WEBHOOKS_MAX',
    { fallback: 100, min: 1, max: 10_000 },
    'Webhooks that one account may have; those that are there stay.',
  ),
  failedKeysPerMinute: whole(
    'LANDFALL_FAILED_KEYS_PER_MINUTE',
    { fallback: 30, min: 0, max: 100_000 },
    'API keys that one address may get wrong in any 60 seconds before it is answered 429; 0 is no limit.',
  ),
} as const satisfies Record<string, Setting<unknown>>
