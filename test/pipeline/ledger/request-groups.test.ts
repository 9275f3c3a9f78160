/**
 * Requests that share anything are one group, directly or through others; requests that share nothing are in different
 * groups.
 */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RequestLink } from '../../../src/pipeline/ledger/ledger-groups-sql.ts'
import { groupLinkedRequests } from '../../../src/pipeline/ledger/request-groups.ts'

const tie = (requestId: string, of: RequestLink['of'], name: string): RequestLink => ({ requestId, of, tie: name })

test('groups requests that share a poll target, shipment or number, directly or through other requests', () => {
  const groups = groupLinkedRequests([
    tie('a', 'subject', '1'),
    tie('b', 'shipment', '2'),
    tie('c', 'number', '3'),
    tie('d', 'subject', '1'),
    tie('d', 'shipment', '2'),
    tie('b', 'number', '3'),
    tie('e', 'shipment', '1'),
  ])
  const listed = groups.map(({ requestIds, shipmentIds }) => [requestIds.toSorted(), [...shipmentIds].toSorted()])
  assert.deepEqual(listed, [
    [['a', 'b', 'c', 'd'], ['2']],
    // A poll target and a shipment with the same name are two different things.
    [['e'], ['1']],
  ])
})

test('a group of requests includes the ledger entries of its requests and shipments', () => {
  const [group] = groupLinkedRequests([tie('a', 'itself', 'a'), tie('a', 'shipment', 's'), tie('a', 'subject', 'n')])
  assert.deepEqual(group?.ids, ['a', 's'])
})
