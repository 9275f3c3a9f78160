import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { replicaOperations } from '../../src/api/hooks/replica-operations.ts'
import { replicaTools } from '../../src/mcp/server/replica-tools.ts'
import { tools } from '../../src/mcp/tools.ts'

test('only GET operations may read from a replica', () => {
  const { paths } = JSON.parse(readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8')) as {
    readonly paths: Readonly<Record<string, { readonly get?: { readonly operationId: string } }>>
  }
  const gets = Object.values(paths).map(({ get }) => get?.operationId)
  assert.deepEqual(
    [...replicaOperations].filter((each) => !gets.includes(each)),
    [],
  )
})

test('an MCP tool uses a replica only if it is read-only and does not prepare a tracking request', () => {
  const reading = tools.filter(({ effect }) => effect === 'read').map(({ name }) => name)
  assert.deepEqual(reading.filter((each) => !replicaTools.has(each)).toSorted(), [
    'brief',
    'get_supported_shipping_lines',
    'infer_number',
  ])
  assert.deepEqual(
    [...replicaTools].filter((each) => !reading.includes(each)),
    [],
  )
})
