/** `landfall database distribute`: divides the tables of an installation among the nodes of a Citus cluster. */

import { distributeInstallation } from '../../modules/installation/distribute-installation.ts'
import { readConfig } from '../../platform/config.ts'
import { defineCommand, UsageError } from '../framework/command.ts'

const shardsMax = 1_024

export const databaseDistribute = defineCommand({
  about:
    'DATABASE_URL names the coordinator, which must know its workers. All rows of an account are stored on one node. Stop all processes of the installation before the first time: the tables are rewritten, in one transaction. It first migrates the database to the schema of this version. You can repeat it: it distributes new tables, and frees the disk space that an earlier run left on the coordinator. See docs/many-machines.md.',
  options: {
    shards: {
      type: 'string',
      value: '<number>',
      about: `into how many parts the tables are divided, for good (default 32, at most ${shardsMax}): at least as many as there will ever be nodes`,
    },
    json: { type: 'boolean', about: 'print JSON' },
  },
  examples: ['database distribute', 'database distribute --shards 64'],
  run: async ({ options, shell }) => {
    const done = await distributeInstallation(readConfig(shell.env), {
      shards: readShards(options.shards),
      progress: (table, remaining) => shell.progress(`${remaining} tables are left: ${table} …`),
    })
    if (options.json) {
      shell.print(JSON.stringify(done, null, 2))
      return 0
    }
    const { everywhere, byAccount, droppedKeys: lostKeys } = done
    if (everywhere.length + byAccount.length === 0) {
      shell.print('All tables are already distributed.')
      return 0
    }
    shell.print(`Divided by account: ${byAccount.length} tables (${byAccount.join(', ')}).`)
    shell.print(`Copied to every node: ${everywhere.length} tables (${everywhere.join(', ')}).`)
    shell.print(`The database no longer checks ${lostKeys.length} foreign keys from one kind of table to another.`)
    return 0
  },
})

function readShards(text: string | null): number {
  if (text === null) return 32
  const shards = /^\d{1,4}$/.test(text) ? Number(text) : 0
  if (shards < 1 || shards > shardsMax) throw new UsageError(`--shards is a number from 1 to ${shardsMax}.`)
  return shards
}
