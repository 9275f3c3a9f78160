/** The examples of events about documents: an arrival notice that came by e-mail, read or not. */

import type { EventName } from '../../service/telling/webhooks/event-catalogue.ts'
import { exampleIds } from '../../service/telling/webhooks/example-readings.ts'
import { exampleId, exampleStory } from '../../service/telling/webhooks/example-story.ts'
import type { DomainEventReading } from '../../store/read/domain-events.ts'
import type {
  DocumentReading,
  DocumentRepresentationReading,
  EmailSubmissionReading,
} from '../api/resources/document.ts'

const sentAt = '2026-01-28T09:00:00.000Z'
const readAt = '2026-01-28T09:01:00.000Z'
const ids = {
  document: exampleId('document'),
  email: exampleId('email submission'),
  representation: exampleId('document representation'),
}

export function exampleDocument(name: EventName): {
  readonly event: DomainEventReading
  readonly sequence: number
  readonly known: readonly [DocumentReading, EmailSubmissionReading, DocumentRepresentationReading]
} {
  const isRead = name === 'document.extracted'
  return {
    event: {
      accountId: exampleIds.account,
      id: exampleId(name),
      name,
      referenceType: 'document',
      referenceId: ids.document,
      trackingRequestId: null,
      shipmentId: isRead ? exampleIds.shipment : null,
      containerId: null,
      payload: {},
      createdAt: readAt,
    },
    sequence: 20,
    known: [
      {
        type: 'document',
        id: ids.document,
        name: 'Arrival notice',
        documentType: isRead ? 'arrival_notice' : 'unknown',
        source: 'email',
        fileName: 'arrival-notice.pdf',
        contentType: 'application/pdf',
        bytes: 48_213,
        createdAt: sentAt,
        updatedAt: readAt,
        accountId: exampleIds.account,
        emailSubmissionId: ids.email,
        representationId: ids.representation,
        shipmentIds: isRead ? [exampleIds.shipment] : [],
        containerIds: [],
      },
      {
        type: 'email_submission',
        id: ids.email,
        subject: `Arrival notice ${exampleStory.bill}`,
        body: 'Please find the arrival notice attached.',
        from: ['agent@example.com'],
        to: ['documents@example.org'],
        messageId: '<arrival-notice@example.com>',
        sentAt,
        createdAt: sentAt,
        accountId: exampleIds.account,
        documentIds: [ids.document],
      },
      {
        type: 'document_representation',
        id: ids.representation,
        schemaVersion: '1',
        payload: isRead
          ? { bill_of_lading_number: exampleStory.bill, container_numbers: [exampleStory.box] }
          : {},
        createdAt: readAt,
      },
    ],
  }
}
