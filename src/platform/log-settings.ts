// The settings about files of the log; a group of the table in `settings.ts`.
import { integer, optionalText, type Setting } from './setting.ts'

export const logSettings = {
  file: optionalText(
    'LANDFALL_LOG_FILE',
    'standard output; on a terminal, landfall.log in the data folder',
    'File of the log, where nobody collects what is written to standard output. Each process needs its own.',
  ),
  fileMb: integer(
    'LANDFALL_LOG_FILE_MB',
    { fallback: 100, min: 1, max: 100_000 },
    'Size in megabytes at which the file of the log is renamed and a new one is begun.',
  ),
  filesKept: integer(
    'LANDFALL_LOG_FILES_KEPT',
    { fallback: 7, min: 0, max: 1_000 },
    'How many renamed files of the log are kept: landfall.log.1 is the newest.',
  ),
} as const satisfies Record<string, Setting<unknown>>
