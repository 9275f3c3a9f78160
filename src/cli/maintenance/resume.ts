/** `landfall resume`: lets a restored installation go on. */

import { resumeWork as endPause } from '../../pipeline/jobs/pause.ts'
import { defineCommand } from '../framework/command.ts'

export const resume = defineCommand({
  about:
    'First make sure that the original has ended: both would ask under the same accesses and deliver to the same receivers. Running workers go on within seconds.',
  run: async ({ shell }) => {
    const pause = await endPause(await shell.openService())
    shell.print(
      pause === null
        ? 'It was not paused.'
        : `It goes on. It was paused since ${pause.since}, restored from a backup of ${pause.backupAt}.`,
    )
    return 0
  },
})
