/** The readers of documents that an installation works with. */

import { numbersOf } from '../../../sources/documents/fields/numbers-of.ts'
import { readDocument, rulesVersion } from '../../../sources/documents/fields/read-document.ts'
import { readPagesApart, rotateImageApart } from '../../../sources/documents/pages/read-pages-apart.ts'
import { documentSchemas } from '../../../sources/documents/schemas/schemas.ts'
import { findPickupNumber } from '../../../sources/documents/secrets/find-pickup-number.ts'
import { readByModel } from '../model/read-by-model.ts'
import { sayDocument } from '../said/say-document.ts'

export const realReaders = {
  readPagesApart: (bytes: Buffer) => readPagesApart(bytes),
  rotateImageApart: (bytes: Buffer, degrees: 90 | 180 | 270) => rotateImageApart(bytes, degrees),
  readDocument,
  readByModel,
  findPickupNumber,
  numbersOf,
  rulesVersion,
  documentSchemas,
  sayDocument,
}
