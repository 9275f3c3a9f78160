/** The file store of this installation, as the settings say: a folder or a bucket. */

import { join } from 'node:path'
import type { Config } from '../../../platform/config.ts'
import { createEgress } from '../../../platform/egress.ts'
import { openDiskFiles } from '../../../platform/files/disk-files.ts'
import type { FileStore } from '../../../platform/files/file-store.ts'
import { openS3Files, placeOfFiles, type S3Place } from '../../../platform/files/s3-files.ts'
import { keptBeside } from '../../ground/kept-beside.ts'
import type { Service } from '../../service.ts'

/** Throws one Error that names the settings that are missing. Call it at start, so that no document has to find out. */
export const fileStoreOf: (service: Service) => FileStore = keptBeside(({ config }) => {
  const { storage, folder } = config.documents
  const mbMax = Math.max(config.documents.mbMax, config.mailIn.messageMb)
  if (storage === 'disk') return openDiskFiles(folder ?? join(config.data.folder, 'files'))
  const place = s3PlaceOf(config)
  const egress = createEgress({
    // The operator named this place, and no other is reached. It may be anywhere.
    allowedNetworks: ['0.0.0.0/0', '::/0'],
    allowLoopback: true,
    only: [placeOfFiles(place)],
    connectTimeoutMs: config.network.connectTimeoutMs,
  })
  return openS3Files(place, { egress, bytesMax: mbMax * 1_048_576 })
})

function s3PlaceOf({ documents }: Config): S3Place {
  const { s3Endpoint: endpoint, s3Bucket: bucket, s3AccessKey: accessKey, s3SecretKey: secretKey } = documents
  if (endpoint === null || bucket === null || accessKey === null || secretKey === null)
    throw new Error(
      'LANDFALL_FILES is s3: then LANDFALL_S3_ENDPOINT, LANDFALL_S3_BUCKET, LANDFALL_S3_ACCESS_KEY and LANDFALL_S3_SECRET_KEY are needed.',
    )
  return {
    endpoint,
    bucket,
    accessKey,
    secretKey,
    region: documents.s3Region,
    isPathStyle: documents.s3Addressing === 'path',
  }
}
