/** Proofs on a database that is divided among the nodes of a Citus cluster. */

import { openPool } from '../../src/db/database.ts'
import { type ClusterDatabase, openDistributedDatabase } from '../../test/support/distributed.ts'
import { eventually } from '../../test/support/eventually.ts'

const backWithinMs = 60_000

/** Ends the program where the environment names no cluster. */
export async function openDivided(): Promise<ClusterDatabase> {
  const url = process.env['LANDFALL_TEST_CITUS_URL']
  if (url !== undefined) return openDistributedDatabase(url)
  console.error('--cluster needs LANDFALL_TEST_CITUS_URL, the coordinator of a Citus cluster.')
  process.exit(2)
}

/**
 * Kills one of the servers that have the data of accounts, beneath the program at work, and waits until it is back: who
 * started it starts it again.
 */
export async function killNode(url: string): Promise<string> {
  const pool = openPool({ connection: url, connectionsMax: 1 })
  pool.on('error', () => {})
  try {
    const { rows } = await pool.query<{ port: number; file: string }>({
      text: `select n.nodeport as port, r.result as file
               from (select nodename, nodeport from pg_dist_node where groupid > 0 order by nodeport limit 1) n,
                    run_command_on_workers('select pg_read_file(''postmaster.pid'')') r
              where r.nodename = n.nodename and r.nodeport = n.nodeport`,
    })
    const [node] = rows
    if (node === undefined) throw new Error('The cluster has no nodes.')
    process.kill(Number.parseInt(node.file, 10), 'SIGKILL')
    const atMs = Date.now()
    const awayMs = await eventually(
      () =>
        pool.query({ text: 'select count(*) from shipments' }).then(
          () => Date.now() - atMs,
          () => null,
        ),
      { withinMs: backWithinMs, late: () => `The node on port ${node.port} did not come back.` },
    )
    return `kill -9 of the node on port ${node.port}; it was away for ${awayMs} ms`
  } finally {
    await pool.end()
  }
}
