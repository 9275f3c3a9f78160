/** `landfall resume`: lets a restored installation go on. */

import { resumeWork as endPause } from '../../pipeline/jobs/pause.ts'
import { defineCommand } from '../framework/command.ts'

export const resume = defineCommand({
  about:
    'First make sure that the original installation is stopped: otherwise both poll with the same credentials and deliver to the same receivers. Running workers continue within seconds.',
  run: async ({ shell }) => {
    const pause = await endPause(await shell.openService())
    shell.print(
      pause === null
        ? 'It was not paused.'
        : `It is resumed. It was paused since ${pause.since}, restored from a backup of ${pause.backupAt}.`,
    )
    return 0
  },
})
