/** Settings of read replicas. */

import { integer, type Setting, setting } from './setting.ts'

export const replicaSettings = {
  replicaUrls: databaseUrls(
    'DATABASE_REPLICA_URL',
    'Read replicas of DATABASE_URL, with commas between them. Lists, exports, search and explanations are read there.',
  ),
  replicaWaitMs: integer(
    'LANDFALL_REPLICA_WAIT_MS',
    { fallback: 100, min: 10, max: 5_000 },
    'How long a request waits for a replica to show what was changed before it. After it the request reads at the primary.',
  ),
} as const

function databaseUrls(variable: string, about: string): Setting<readonly string[]> {
  const parse = (value: string) => {
    const urls = value.split(',').map((url) => url.trim())
    return urls.every((url) => /^postgres(ql)?:\/\/./.test(url) && URL.canParse(url)) ? urls : undefined
  }
  const accepts = 'a URL postgresql://user:password@host:port/database, or several with commas'
  return { ...setting<readonly string[]>(variable, [], accepts, about, parse), otherwise: 'none' }
}
