/** What people call the kinds of documents. */

import type { DocumentType } from '../../connectors/papers/document.ts'
import { typeLabels } from '../../connectors/papers/schemas/schemas.ts'

export const kindLabels: Readonly<Record<DocumentType, string>> = {
  ...typeLabels,
  other: 'Other document',
  unknown: 'Not recognised',
}
