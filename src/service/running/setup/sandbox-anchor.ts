/** The state of the sandbox's clock. It is stored in the database, so that sandbox time continues after a restart. */

import { firstSandboxAnchor, type SandboxAnchor, withSandboxSpeed } from '../../../platform/clock.ts'
import type { Pool } from '../../../store/database.ts'
import { keepSetting, writeSetting } from '../../../store/people/accounts.ts'

/** The anchor of this installation; another speed takes effect from now on, without a jump in time. */
export async function openSandboxAnchor(
  pool: Pool,
  now: { readonly realNowMs: number; readonly speed: number },
): Promise<SandboxAnchor> {
  const kept = await keepSetting(pool, 'sandbox_anchor', firstSandboxAnchor(now.realNowMs, now.speed))
  const anchor = withSandboxSpeed(kept, now)
  if (anchor !== kept) await writeSetting(pool, 'sandbox_anchor', anchor)
  return anchor
}
