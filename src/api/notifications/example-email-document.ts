/** The examples of events about documents: one that came by e-mail, an arrival notice by default, read or not. */

import type { DocumentField, DocumentType, Rectangle } from '../../connectors/papers/document.ts'
import { documentSchemas, typeLabels } from '../../connectors/papers/schemas/schemas.ts'
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

export function exampleDocument(
  name: EventName,
  wantedType: DocumentType | null,
): {
  readonly event: DomainEventReading
  readonly sequence: number
  readonly known: readonly (DocumentReading | EmailSubmissionReading | RepresentationReading)[]
} {
  const isRead = name === 'document.extracted'
  const sentType = wantedType ?? 'arrival_notice'
  const documentType = wantedType ?? (isRead ? sentType : 'unknown')
  const label = sentType === 'other' || sentType === 'unknown' ? 'Document' : typeLabels[sentType]
  const stem = sentType.replaceAll('_', '-')
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
        name: label,
        source: 'email',
        userId: null,
        addedBy: 'agent@example.com',
        emailSubmissionId: ids.email,
        fileName: `${stem}.pdf`,
        fileContentType: 'application/pdf',
        fileSizeBytes: 48_213,
        fileId: null,
        documentType,
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
        subject: `${label} ${exampleStory.bill}`,
        body: `Please find the ${label.toLowerCase()} attached.`,
        from: ['agent@example.com'],
        to: ['documents@example.org'],
        cc: [],
        messageId: `<${stem}@example.com>`,
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
            fileName: `${stem}.pdf`,
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
      isRead ? representationOf(documentType) : { ...representationOf(documentType), payload: {}, fields: [] },
    ],
  }
}

/** Every kind that has a schema has these two fields. */
function representationOf(documentType: DocumentType): RepresentationReading {
  const schema = documentSchemas.find((each) => each.documentType === documentType && each.isCurrent)
  return {
    type: 'document_representation',
    id: ids.representation,
    documentId: ids.document,
    documentType,
    schemaVersion: schema?.version ?? 'none',
    payload:
      schema === undefined
        ? {}
        : { bill_of_lading_number: exampleStory.bill, containers: [{ number: exampleStory.box }] },
    fields:
      schema === undefined
        ? []
        : [
            fieldOf('bill_of_lading_number', exampleStory.bill, { left: 0.62, top: 0.08, right: 0.78, bottom: 0.1 }),
            fieldOf('containers[0].number', exampleStory.box, { left: 0.08, top: 0.41, right: 0.2, bottom: 0.43 }),
          ],
    isManual: false,
    readerVersion: 1,
    createdAt: readAt,
  }
}

function fieldOf(name: string, value: string, region: Rectangle): DocumentField {
  return { name, value, text: value, confidence: 0.99, page: 1, box: region, by: 'rules' }
}
