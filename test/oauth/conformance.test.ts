/** The authorization-server scenarios of the official MCP conformance suite, over the real stack and with a real browser. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runAuthorizationConformance } from '../../qa/oauth-conformance.ts'

test('every authorization-server scenario of the official suite passes', { timeout: 120_000 }, async () => {
  const { passed, failed, output } = await runAuthorizationConformance()
  assert.deepEqual([passed, failed], [3, 0], output)
})
