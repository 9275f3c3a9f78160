/** The readers of documents that an installation works with. */

import { listDocumentNumbers } from '../../connectors/papers/fields/numbers-of.ts'
import { readDocument, rulesVersion } from '../../connectors/papers/fields/read-document.ts'
import { readPagesInJail, rotateImageInJail } from '../../connectors/papers/pages/read-pages-apart.ts'
import { documentSchemas } from '../../connectors/papers/schemas/schemas.ts'
import { findPickupNumber } from '../../connectors/papers/secrets/find-pickup-number.ts'
import { applyDocumentStatements } from './apply-document-statements.ts'
import { readByModel } from './model/read-by-model.ts'

export const realReaders = {
  readPagesApart: (bytes: Buffer) => readPagesInJail(bytes),
  rotateImageApart: (bytes: Buffer, degrees: 90 | 180 | 270) => rotateImageInJail(bytes, degrees),
  readDocument,
  readByModel,
  findPickupNumber,
  numbersOf: listDocumentNumbers,
  rulesVersion,
  documentSchemas,
  applyDocumentStatements,
}
