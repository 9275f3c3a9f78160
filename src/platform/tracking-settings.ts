// The settings about how long and how often shipments are looked at, and which changes are announced; a group of the
// table in `settings.ts`.
import { choice, number, type Setting, whole } from './setting.ts'

export const trackingSettings = {
  retriesMax: whole(
    'LANDFALL_RETRIES_MAX',
    { fallback: 14, min: 0, max: 100 },
    'Retries of a request whose carrier cannot be reached or read, before it fails.',
  ),
  retryWindowHours: number(
    'LANDFALL_RETRY_WINDOW_HOURS',
    { fallback: 24, min: 0.01, max: 720 },
    'Time over which those retries are spread, further and further apart.',
  ),
  awaitingDays: number(
    'LANDFALL_AWAITING_DAYS',
    { fallback: 7, min: 0, max: 365 },
    'How long a number that the carrier does not know is asked for again, daily.',
  ),
  stopAfterArrivalDays: number(
    'LANDFALL_STOP_AFTER_ARRIVAL_DAYS',
    { fallback: 56, min: 1, max: 730 },
    'Tracking stops this long after arrival.',
  ),
  stopAfterFullOutDays: number(
    'LANDFALL_STOP_AFTER_FULL_OUT_DAYS',
    { fallback: 56, min: 1, max: 730 },
    'Tracking stops this long after the last container left the terminal full.',
  ),
  stopWithoutUpdatesDays: number(
    'LANDFALL_STOP_WITHOUT_UPDATES_DAYS',
    { fallback: 56, min: 1, max: 730 },
    'Tracking stops when the carrier has said nothing new for this long.',
  ),
  estimateThresholdMinutes: number(
    'LANDFALL_ESTIMATE_THRESHOLD_MINUTES',
    { fallback: 60, min: 0, max: 10_080 },
    'An estimate or a last free day that moves by less than this is not news.',
  ),
  podTerminalDwellHours: number(
    'LANDFALL_POD_TERMINAL_DWELL_HOURS',
    { fallback: 6, min: 0, max: 168 },
    'A predicted terminal at the port of discharge must hold this long to be news.',
  ),
  mendedHistory: choice(
    'LANDFALL_MENDED_HISTORY',
    ['announce', 'quiet'],
    'announce',
    'After an upgrade: what mended readers and merge rules make otherwise is announced as corrections, or only shown.',
  ),
  lookGapHours: number(
    'LANDFALL_LOOK_GAP_HOURS',
    { fallback: 6, min: 0.01, max: 168 },
    'Time between two looks at a shipment under way.',
  ),
  lookGapNearHours: number(
    'LANDFALL_LOOK_GAP_NEAR_HOURS',
    { fallback: 2, min: 0.01, max: 168 },
    'Time between two looks when something is expected within two days.',
  ),
  lookGapQuietHours: number(
    'LANDFALL_LOOK_GAP_QUIET_HOURS',
    { fallback: 24, min: 0.01, max: 720 },
    'Time between two looks when nothing is expected soon.',
  ),
  refreshGapMinutes: number(
    'LANDFALL_REFRESH_GAP_MINUTES',
    { fallback: 5, min: 0, max: 1_440 },
    'A refresh asked for sooner after the last look is answered from that look.',
  ),
  looksKeptDays: whole(
    'LANDFALL_LOOKS_KEPT_DAYS',
    { fallback: 30, min: 2, max: 3_650 },
    'How long each look at a line is kept. Whole days go at once; when each number was asked, and whether it was answered, is kept of them.',
  ),
} as const satisfies Record<string, Setting<unknown>>
