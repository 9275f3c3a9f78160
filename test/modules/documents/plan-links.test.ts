// To which shipments a document belongs, decided by its numbers and by people.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DocumentLink, ReferenceMatch } from '../../../src/modules/documents/document-links-sql.ts'
import { planLinks } from '../../../src/modules/documents/plan-links.ts'

const at = '2026-03-10T00:00:00.000Z'
const fit = (kind: ReferenceMatch['kind'], shipmentId: string, over: Partial<ReferenceMatch> = {}): ReferenceMatch => ({
  kind,
  shipmentId,
  number: over.number ?? kind,
  containerId: kind === 'container' ? `box of ${shipmentId}` : null,
  trip: kind === 'container' ? 1 : null,
  createdAt: '2026-03-01T00:00:00.000Z',
  stoppedAt: null,
  ...over,
})
const person = (shipmentId: string, over: Partial<DocumentLink> = {}): DocumentLink => ({
  id: `link ${shipmentId}`,
  shipmentId,
  containerId: null,
  foundBy: 'person',
  isDenied: false,
  ...over,
})
const ended = { createdAt: '2025-12-01T00:00:00.000Z', stoppedAt: '2026-02-20T00:00:00.000Z' }
const longEnded = { createdAt: '2025-03-01T00:00:00.000Z', stoppedAt: '2025-06-01T00:00:00.000Z' }

const stories: readonly {
  readonly what: string
  readonly fits?: readonly ReferenceMatch[]
  readonly said?: readonly DocumentLink[]
  readonly documentAt?: string
  /** `shipment by kind`, or `box by kind`. */
  readonly linked: readonly string[]
  readonly candidates?: readonly string[]
}[] = [
  { what: 'no number', linked: [] },
  { what: 'a bill', fits: [fit('bill_of_lading', 'A')], linked: ['A by bill_of_lading'] },
  {
    what: 'a bill and its containers',
    fits: [fit('bill_of_lading', 'A'), fit('container', 'A')],
    linked: ['A by bill_of_lading', 'box of A by container'],
  },
  {
    what: 'a container that other shipments have too: the bill decides',
    fits: [fit('bill_of_lading', 'A'), fit('container', 'A'), fit('container', 'B')],
    linked: ['A by bill_of_lading', 'box of A by container'],
  },
  {
    what: 'a container alone, of one shipment that has ended a while ago',
    fits: [fit('container', 'A', ended)],
    linked: ['A by container', 'box of A by container'],
  },
  {
    what: 'a container of an ended shipment and of a live one: the live one',
    fits: [fit('container', 'A', ended), fit('container', 'B')],
    linked: ['B by container', 'box of B by container'],
  },
  {
    what: 'a container of two shipments that have both ended: a person decides',
    fits: [fit('container', 'A', ended), fit('container', 'B', ended)],
    linked: [],
    candidates: ['A', 'B'],
  },
  {
    what: 'a container whose shipment ended long before the document',
    fits: [fit('container', 'A', longEnded)],
    linked: [],
  },
  {
    what: 'a document of last year about a container that is now on its next trip',
    fits: [fit('container', 'A')],
    documentAt: '2025-05-01T00:00:00.000Z',
    linked: [],
  },
  {
    what: 'a document of last year with its own ended shipment: that shipment',
    fits: [fit('container', 'A'), fit('container', 'B', longEnded)],
    documentAt: '2025-05-01T00:00:00.000Z',
    linked: ['B by container', 'box of B by container'],
  },
  {
    what: 'a bill, however old its shipment is',
    fits: [fit('bill_of_lading', 'A', longEnded)],
    linked: ['A by bill_of_lading'],
  },
  {
    what: 'two trips of a container under one shipment: the later',
    fits: [fit('container', 'A'), fit('container', 'A', { containerId: 'second trip', trip: 2 })],
    linked: ['A by container', 'second trip by container'],
  },
  {
    what: 'a reference of two live shipments: both',
    fits: [fit('reference', 'A'), fit('reference', 'B')],
    linked: ['A by reference', 'B by reference'],
  },
  {
    what: 'a reference of many shipments: candidates only',
    fits: Array.from({ length: 30 }, (_, nth) => fit('reference', `S${nth}`)),
    linked: [],
    candidates: Array.from({ length: 20 }, (_, nth) => `S${nth}`),
  },
  {
    what: 'a link that a person removed is not found again',
    fits: [fit('bill_of_lading', 'A'), fit('container', 'A')],
    said: [person('A', { isDenied: true })],
    linked: [],
  },
  {
    what: 'a link to one container of a shipment was removed',
    fits: [fit('bill_of_lading', 'A'), fit('container', 'A')],
    said: [person('A', { containerId: 'box of A', isDenied: true })],
    linked: ['A by bill_of_lading'],
  },
  {
    what: 'a shipment that a person linked decides between shipments with the container',
    fits: [fit('container', 'A', ended), fit('container', 'B')],
    said: [person('A')],
    linked: ['A by person', 'box of A by container'],
  },
]

for (const { what, fits = [], said = [], documentAt = at, linked, candidates = [] } of stories)
  test(`links a document by its numbers: ${what}: ${linked.length === 0 ? 'nothing is linked' : linked.join(', ')}`, () => {
    for (const ordered of [fits, fits.toReversed()]) {
      const plan = planLinks({ fits: ordered, personLinks: said, documentAt })
      const found = plan.found.map(
        ({ shipmentId, containerId, foundBy }) => `${containerId ?? shipmentId} by ${foundBy}`,
      )
      assert.deepEqual(found.toSorted(), linked.toSorted())
      if (ordered === fits)
        assert.deepEqual(plan.candidates.map(({ shipmentId }) => shipmentId).toSorted(), candidates.toSorted())
    }
  })
