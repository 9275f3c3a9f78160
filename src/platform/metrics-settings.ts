// The settings about who may read the counters; a group of the table in `settings.ts`.
import { choice, type Setting, secret, whole } from './setting.ts'

export const metricsSettings = {
  mode: choice(
    'LANDFALL_METRICS',
    ['loopback', 'open', 'off'],
    'loopback',
    'Who may read /metrics at the API: programs on this machine that ask it directly, everybody, or nobody.',
  ),
  port: whole(
    'LANDFALL_METRICS_PORT',
    { fallback: 0, min: 0, max: 65_535 },
    'A port of its own for /metrics, /healthz and /readyz, for workers too; /metrics is then no more at the API. 0 for none.',
  ),
  token: secret(
    'LANDFALL_METRICS_TOKEN',
    16,
    'none',
    'Who sends it (Authorization: Bearer …) may read /metrics from anywhere; with it, an open /metrics and the port of its own ask for it.',
  ),
} as const satisfies Record<string, Setting<unknown>>
