import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runConformance } from '../../qa/mcp-conformance.ts'

test('every scenario that the two revisions require of a server passes in the official conformance suite', async () => {
  for (const { revision, exitCode, output } of await runConformance()) {
    const failed = output.split('\n').filter((line) => line.startsWith('✗'))
    assert.equal(exitCode, 0, `${revision}: ${failed.join('\n')}`)
    // The requests that the suite sent: a suite that runs nothing would also fail nothing.
    assert.ok(output.split('\n').filter((line) => line.startsWith('✓')).length >= 30, output.slice(-2_000))
  }
})
