/** `landfall resume`: lets a restored installation go on. */

import { resume as endPause } from '../../../service/running/pause/pause.ts'
import { command } from '../frame/command.ts'

export const resume = command({
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
