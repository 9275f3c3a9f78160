// The settings about permitted HTTP clients, and how strictly they are checked; a group of the table in `settings.ts`.
import { choice, onOff, origins, type Setting } from './setting.ts'

export const edgeSettings = {
  corsOrigins: origins(
    'LANDFALL_CORS_ORIGINS',
    'Origins of web pages (separated by commas; * for all) that may call the API from a browser. They still need a key.',
  ),
  unknownFields: choice(
    'LANDFALL_UNKNOWN_FIELDS',
    ['refuse', 'ignore', 'ignore_but_filters'],
    'refuse',
    'What happens to query parameters and attributes that are unknown or read-only. refuse: the request is refused. ignore: they are ignored and listed in meta.ignored. ignore_but_filters: the same, but an unknown filter is refused, because without it the list has rows that were not requested; this is the value for programs that cannot be changed. A single request can choose with `Prefer: handling=lenient` or `handling=strict`.',
  ),
  dcsa3: onOff(
    'LANDFALL_DCSA_3',
    'off',
    'Whether events are also available as DCSA Track & Trace 3.0: at /dcsa/v3/events, and for webhooks with the format dcsa_3. Few programs support it yet.',
  ),
} as const satisfies Record<string, Setting<unknown>>
