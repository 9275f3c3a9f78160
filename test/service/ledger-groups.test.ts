/**
 * Requests that share anything are one group, directly or through others; requests that share nothing are in different
 * groups.
 */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { groupsOf } from '../../src/service/ledger/groups.ts'
import type { Tie } from '../../src/store/ledger/ledger-groups.ts'

const tie = (requestId: string, of: Tie['of'], name: string): Tie => ({ requestId, of, tie: name })

test('requests are one group by a subject, a shipment or a number, also over others', () => {
  const groups = groupsOf([
    tie('a', 'subject', '1'),
    tie('b', 'shipment', '2'),
    tie('c', 'number', '3'),
    tie('d', 'subject', '1'),
    tie('d', 'shipment', '2'),
    tie('b', 'number', '3'),
    tie('e', 'shipment', '1'),
  ])
  const told = groups.map(({ requestIds, shipmentIds }) => [
    requestIds.toSorted(),
    [...shipmentIds].toSorted(),
  ])
  assert.deepEqual(told, [
    [['a', 'b', 'c', 'd'], ['2']],
    // A subject and a shipment with the same name are two different things.
    [['e'], ['1']],
  ])
})

test('entries of a request or of its shipment are entries of its group', () => {
  const [group] = groupsOf([tie('a', 'itself', 'a'), tie('a', 'shipment', 's'), tie('a', 'subject', 'n')])
  assert.deepEqual(group?.ids, ['a', 's'])
})
