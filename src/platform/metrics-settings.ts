// The settings about who may read the counters; a group of the table in `settings.ts`.
import { choice, integer, type Setting, secret } from './setting.ts'

export const metricsSettings = {
  mode: choice(
    'LANDFALL_METRICS',
    ['loopback', 'open', 'off'],
    'loopback',
    'Who may read /metrics on the port of the API. loopback: programs on this machine that call it directly. open: everybody. off: nobody.',
  ),
  port: integer(
    'LANDFALL_METRICS_PORT',
    { fallback: 0, min: 0, max: 65_535 },
    'A separate port for /metrics, /healthz and /readyz, in workers too. The port of the API then has no /metrics. 0: no separate port.',
  ),
  token: secret(
    'LANDFALL_METRICS_TOKEN',
    16,
    'none',
    'A client that sends this token (Authorization: Bearer …) may read /metrics from anywhere. If it is set, an open /metrics and the separate port require it.',
  ),
} as const satisfies Record<string, Setting<unknown>>
