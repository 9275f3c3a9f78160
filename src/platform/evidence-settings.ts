// The settings about evidence; a group of the table in `settings.ts`.
import { integer, type Setting } from './setting.ts'

export const evidenceSettings = {
  rootHours: integer(
    'LANDFALL_LEDGER_ROOT_HOURS',
    { fallback: 24, min: 0, max: 720 },
    'How often the new statements in the ledger of an account are hashed and the root is sent out; 0 for never.',
  ),
} as const satisfies Record<string, Setting<unknown>>
