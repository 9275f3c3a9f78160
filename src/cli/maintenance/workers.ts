/** `landfall workers`: the processes that work on this installation. */

import { listWorkers } from '../../pipeline/jobs/list-workers.ts'
import { defineCommand } from '../framework/command.ts'

export const workers = defineCommand({
  about: 'The other processes take over the work of a dead process within seconds; see docs/many-machines.md.',
  options: { json: { type: 'boolean', about: 'print JSON' } },
  run: async ({ options, shell }) => {
    const listed = await listWorkers(await shell.openService())
    if (options.json) {
      shell.print(JSON.stringify(listed, null, 2))
      return 0
    }
    for (const { id, host, pid, role, version, startedAt, heartbeatAt, isConnected } of listed)
      shell.print(
        `${id}  ${role}  ${host}  pid ${pid}  ${version}  since ${startedAt}  heartbeat ${heartbeatAt}` +
          (isConnected ? '' : '  not connected'),
      )
    if (listed.length === 0) shell.print('None runs.')
    return 0
  },
})
