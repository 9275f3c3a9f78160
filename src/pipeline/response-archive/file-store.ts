/** The file store of this installation, as the settings define it: a folder or a bucket. */

import { join } from 'node:path'
import { ServiceError } from '../../modules/errors.ts'
import type { Service } from '../../modules/service.ts'
import type { Config } from '../../platform/config.ts'
import { deliveryBytesMax } from '../../platform/delivery-size.ts'
import { createEgress } from '../../platform/egress.ts'
import { openDiskFiles } from '../../platform/files/disk-files.ts'
import { type FileStore, FileStoreError } from '../../platform/files/file-store.ts'
import { openS3Files, type S3Place, toS3HostAndPort } from '../../platform/files/s3-files.ts'
import { memoizePerOwner } from '../../platform/memoize-per-owner.ts'

/** Packs of snapshots are files too: some megabytes, or one body of the largest size. */
const packBytesMax = deliveryBytesMax + 16 * 1_048_576

/**
 * Throws one Error that names the settings that are missing. Call it at start, so that it does not fail later with a
 * document.
 */
export function fileStoreOf({ config }: Pick<Service, 'config'>): FileStore {
  return openStore(config)
}

const openStore = memoizePerOwner((config: Config): FileStore => {
  const { storage, folder } = config.documents
  const mbMax = Math.max(config.documents.mbMax, config.mailIn.messageMb)
  if (storage === 'disk') return openDiskFiles(folder ?? join(config.data.folder, 'files'))
  const place = s3PlaceOf(config)
  const egress = createEgress({
    // The operator named this place, and no other is reached. It may be anywhere.
    allowedNetworks: ['0.0.0.0/0', '::/0'],
    allowLoopback: true,
    only: [toS3HostAndPort(place)],
    connectTimeoutMs: config.network.connectTimeoutMs,
  })
  return openS3Files(place, { egress, bytesMax: Math.max(mbMax * 1_048_576, packBytesMax) })
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

/** Raises an operator issue. */
export function reportFileFault({ operatorIssues }: Service, { fault, message }: FileStoreError): void {
  operatorIssues.raise(fault === 'full' ? 'data_folder_full' : 'file_store_fails', { reason: message })
}

const retrySeconds = 60

/** When the store is not available now, throws a refusal with a time for the retry, and raises an operator issue. */
export async function refuseWhenUnavailable<Result>(service: Service, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof FileStoreError)) throw error
    reportFileFault(service, error)
    throw new ServiceError('unavailable', 'Files cannot be stored or fetched now. Try again later.', {
      retryAfterSeconds: retrySeconds,
      cause: error,
    })
  }
}
