/** What people call the kinds of documents. */

import type { DocumentType } from '../../../sources/documents/document.ts'
import { typeLabels } from '../../../sources/documents/schemas/schemas.ts'

export const kindLabels: Readonly<Record<DocumentType, string>> = {
  ...typeLabels,
  other: 'Other document',
  unknown: 'Not recognised',
}
