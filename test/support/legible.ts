/** Whether all text of a page can be read: none is cut off, beyond its page or under another text. Measured in the browser. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'

const script = readFileSync(new URL('find-illegible.mjs', import.meta.url), 'utf8').replace(
  'export function',
  'function',
)

/** `where`: named in the failure. */
export async function assertLegible(page: Page, where: string): Promise<void> {
  const found = (await page.evaluate(`(() => { ${script}; return findIllegible() })()`)) as readonly string[]
  assert.deepEqual(found, [], where)
}
