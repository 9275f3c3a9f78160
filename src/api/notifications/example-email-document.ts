/** The examples of events about documents: an arrival notice that came by e-mail, read or not. */

import type { DocumentField, Rectangle } from '../../connectors/papers/document.ts'
import { documentSchemas } from '../../connectors/papers/schemas/schemas.ts'
import type { EventName } from '../../domain/changes/event-table.ts'
import type { DocumentReading, RepresentationReading } from '../../modules/documents/list-documents-sql.ts'
import {
  type EmailSubmissionReading,
  readSubmission,
} from '../../modules/email-submissions/email-submission-resource.ts'
import type { DomainEventReading } from '../../modules/events/read-domain-events-sql.ts'
import { exampleIds } from '../../modules/webhooks/example-readings.ts'
import { exampleId, exampleStory } from '../../modules/webhooks/example-story.ts'

const sentAt = '2026-01-28T09:00:00.000Z'
const readAt = '2026-01-28T09:01:00.000Z'
const ids = {
  document: exampleId('document'),
  email: exampleId('email submission'),
  mailbox: exampleId('mailbox'),
  representation: exampleId('document representation'),
}

export function exampleDocument(name: EventName): {
  readonly event: DomainEventReading
  readonly sequence: number
  readonly known: readonly (DocumentReading | EmailSubmissionReading | RepresentationReading)[]
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
        accountId: exampleIds.account,
        name: 'Arrival notice',
        source: 'email',
        userId: null,
        addedBy: 'agent@example.com',
        emailSubmissionId: ids.email,
        fileName: 'arrival-notice.pdf',
        fileContentType: 'application/pdf',
        fileSizeBytes: 48_213,
        fileId: null,
        documentType: isRead ? 'arrival_notice' : 'unknown',
        documentTypeManual: null,
        classificationNotes: null,
        extractedDataManual: null,
        state: isRead ? 'read' : 'failed',
        failureReason: isRead ? null : 'encrypted',
        failureDetail: isRead ? null : 'The file is encrypted, so nobody can read it without its password.',
        pageCount: isRead ? 1 : null,
        pagesOf: null,
        representationId: ids.representation,
        candidates: [],
        model: null,
        isKindByModel: false,
        createdAt: sentAt,
        updatedAt: readAt,
        discardedAt: null,
        links: isRead ? [{ shipmentId: exampleIds.shipment, containerId: null, foundBy: 'bill_of_lading' }] : [],
      },
      readSubmission({
        id: ids.email,
        subject: `Arrival notice ${exampleStory.bill}`,
        body: 'Please find the arrival notice attached.',
        from: ['agent@example.com'],
        to: ['documents@example.org'],
        cc: [],
        messageId: '<arrival-notice@example.com>',
        inReplyTo: null,
        references: [],
        contentType: 'multipart/mixed',
        sentAt,
        createdAt: sentAt,
        updatedAt: readAt,
        accountId: exampleIds.account,
        mailboxId: ids.mailbox,
        status: 'done',
        spf: 'pass',
        dkim: 'pass',
        isSenderVerified: true,
        parts: [
          {
            place: 0,
            fileName: 'arrival-notice.pdf',
            contentType: 'application/pdf',
            byteSize: 48_213,
            state: 'document',
            reason: null,
            documentId: ids.document,
            importId: null,
            messageId: null,
          },
        ],
        documentIds: [ids.document],
      }),
      isRead ? representation : nothingRead,
    ],
  }
}

const representation: RepresentationReading = {
  type: 'document_representation',
  id: ids.representation,
  documentId: ids.document,
  documentType: 'arrival_notice',
  schemaVersion: documentSchemas.find(({ isCurrent }) => isCurrent)?.version ?? 'none',
  payload: { bill_of_lading_number: exampleStory.bill, containers: [{ number: exampleStory.box }] },
  fields: [
    fieldOf('bill_of_lading_number', exampleStory.bill, { left: 0.62, top: 0.08, right: 0.78, bottom: 0.1 }),
    fieldOf('containers[0].number', exampleStory.box, { left: 0.08, top: 0.41, right: 0.2, bottom: 0.43 }),
  ],
  isManual: false,
  readerVersion: 1,
  createdAt: readAt,
}

const nothingRead: RepresentationReading = {
  ...representation,
  documentType: 'unknown',
  schemaVersion: 'none',
  payload: {},
  fields: [],
}

function fieldOf(name: string, value: string, region: Rectangle): DocumentField {
  return { name, value, text: value, confidence: 0.99, page: 1, box: region, by: 'rules' }
}
