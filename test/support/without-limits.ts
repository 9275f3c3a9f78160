/**
 * Settings for tests, tools and benchmarks that send more requests with one key than a client may. What limits do has
 * tests of its own.
 */

export const withoutLimits = {
  LANDFALL_RATE_LIMIT_DEFAULT: '0',
  LANDFALL_RATE_LIMIT_CREATE: '0',
  LANDFALL_RATE_LIMIT_INFER: '0',
  LANDFALL_RATE_LIMIT_REFRESH: '0',
  LANDFALL_RATE_LIMIT_REHEARSE: '0',
  LANDFALL_RATE_LIMIT_EMBED: '0',
  LANDFALL_PATTERN_MS_PER_MINUTE: '0',
  LANDFALL_FAILED_KEYS_PER_MINUTE: '0',
  LANDFALL_CONNECTIONS_PER_ADDRESS: '0',
} as const
