/** The account that tracks with real carriers, where the operator names none. */

import { join } from 'node:path'
import type { Context } from '../access/context.ts'
import { ensureFirstAccount } from '../accounts/first-account.ts'
import { operatorContexts } from '../accounts/operator-contexts.ts'
import { isSandboxOn } from '../derived-settings.ts'
import { refusedAt } from '../errors.ts'
import type { Service } from '../service.ts'

/**
 * The only account with real carriers. An installation that has only the sandbox gets one; `keyFile` is then the file
 * with its first API key, else null. Throws a `ServiceError` where there are several.
 */
export async function findRealAccount(
  service: Service,
): Promise<{ readonly context: Context; readonly keyFile: string | null }> {
  const real = async (): Promise<readonly Context[]> =>
    (await operatorContexts(service, null)).found.filter(({ account }) => !account.isSandbox)
  const known = await real()
  const [only] = known
  if (only !== undefined && known.length === 1) return { context: only, keyFile: null }
  if (known.length > 1)
    throw refusedAt(
      '/account',
      `Several accounts have real carriers: ${known.map(({ account }) => account.companyName).join(', ')}. Name one.`,
    )
  const { data } = service.config
  const isInUse = !isSandboxOn(service.config, join(data.folder, 'carriers.json'))
  const { keyFile } = await ensureFirstAccount(service, { isSandbox: false, dataFolder: data.folder, isInUse })
  const [made] = await real()
  if (made === undefined) throw new Error('the first account was not made')
  return { context: made, keyFile }
}
