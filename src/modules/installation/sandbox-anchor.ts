/** The state of the sandbox's clock. It is stored in the database, so that sandbox time continues after a restart. */

import type { Pool } from '../../db/database.ts'
import { ensureSetting, writeSetting } from '../../db/settings.ts'
import { firstSandboxAnchor, type SandboxAnchor, withSandboxSpeed } from '../../platform/clock.ts'

/** The anchor of this installation; another speed takes effect from now on, without a jump in time. */
export async function openSandboxAnchor(
  pool: Pool,
  now: { readonly realNowMs: number; readonly speed: number },
): Promise<SandboxAnchor> {
  const stored = await ensureSetting(pool, 'sandbox_anchor', firstSandboxAnchor(now.realNowMs, now.speed))
  const anchor = withSandboxSpeed(stored, now)
  if (anchor !== stored) await writeSetting(pool, 'sandbox_anchor', anchor)
  return anchor
}
