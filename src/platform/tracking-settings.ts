// The settings about how long and how often shipments are polled, and which changes are announced; a group of the table
// in `settings.ts`.
import { choice, integer, number, type Setting } from './setting.ts'

export const trackingSettings = {
  retriesMax: integer(
    'LANDFALL_RETRIES_MAX',
    { fallback: 14, min: 0, max: 100 },
    'If the carrier cannot be reached, or its answer cannot be read, a tracking request is retried this many times before it fails.',
  ),
  retryWindowHours: number(
    'LANDFALL_RETRY_WINDOW_HOURS',
    { fallback: 24, min: 0.01, max: 720 },
    'Time in which those retries are made. The waits between them grow.',
  ),
  awaitingDays: number(
    'LANDFALL_AWAITING_DAYS',
    { fallback: 7, min: 0, max: 365 },
    'How long Landfall polls again, once a day, for a number that the carrier does not know yet.',
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
    'Tracking stops when the carrier has sent nothing new for this long.',
  ),
  estimateThresholdMinutes: number(
    'LANDFALL_ESTIMATE_THRESHOLD_MINUTES',
    { fallback: 60, min: 0, max: 10_080 },
    'No event is sent when an estimate or a last free day changes by less than this.',
  ),
  podTerminalDwellHours: number(
    'LANDFALL_POD_TERMINAL_DWELL_HOURS',
    { fallback: 6, min: 0, max: 168 },
    'An event for a predicted terminal at the port of discharge is sent when the prediction has not changed for this long.',
  ),
  mendedHistory: choice(
    'LANDFALL_MENDED_HISTORY',
    ['announce', 'quiet'],
    'announce',
    'After an upgrade, corrected readers and merge rules can change earlier results. announce: events of corrections are sent. quiet: the new values are shown and no events are sent.',
  ),
  lookGapHours: number(
    'LANDFALL_LOOK_GAP_HOURS',
    { fallback: 6, min: 0.01, max: 168 },
    'Time between two polls of the carrier about a shipment under way.',
  ),
  lookGapNearHours: number(
    'LANDFALL_LOOK_GAP_NEAR_HOURS',
    { fallback: 2, min: 0.01, max: 168 },
    'Time between two polls of the carrier when something is expected within two days.',
  ),
  lookGapQuietHours: number(
    'LANDFALL_LOOK_GAP_QUIET_HOURS',
    { fallback: 24, min: 0.01, max: 720 },
    'Time between two polls of the carrier when nothing is expected soon.',
  ),
  refreshGapMinutes: number(
    'LANDFALL_REFRESH_GAP_MINUTES',
    { fallback: 5, min: 0, max: 1_440 },
    'A refresh within this time after the last poll does not poll the carrier again; it is answered from the last result.',
  ),
  looksKeptDays: integer(
    'LANDFALL_LOOKS_KEPT_DAYS',
    { fallback: 30, min: 2, max: 3_650 },
    'How long the log of polls of carriers is kept in full. Then it is shortened day by day to the times of the polls and whether they were answered.',
  ),
  snapshotsPackedAfterDays: integer(
    'LANDFALL_SNAPSHOTS_PACKED_AFTER_DAYS',
    { fallback: 14, min: 0, max: 3_650 },
    'After how many days stored answers and messages are compressed together. They stay readable, and nothing is lost. 0: never.',
  ),
  snapshotsMovedAfterDays: integer(
    'LANDFALL_SNAPSHOTS_MOVED_AFTER_DAYS',
    { fallback: 0, min: 0, max: 3_650 },
    'How many days after they were compressed they move from the database to the file store (LANDFALL_FILES), which every process must be able to reach. 0: never.',
  ),
} as const satisfies Record<string, Setting<unknown>>
