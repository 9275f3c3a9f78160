/**
 * The settings about documents: how large they may be, and where their files are kept and for how long; a group of the
 * table in `settings.ts`.
 */

import { choice, optionalText, type Setting, secret, text, url, whole } from './setting.ts'

/** Kinds of files that can be read. */
export const documentContentTypes = [
  'application/pdf',
  'image/jpeg',
  'image/png',
  'image/tiff',
  'image/webp',
  'image/gif',
] as const
export type DocumentContentType = (typeof documentContentTypes)[number]

const acceptedTypes: Setting<readonly DocumentContentType[]> = {
  variable: 'LANDFALL_DOCUMENT_TYPES',
  fallback: documentContentTypes,
  otherwise: 'all that can be read',
  accepts: `some of ${documentContentTypes.join(', ')}, separated by commas`,
  about: 'Kinds of files that may be handed in as documents.',
  parse: (given) => {
    const wanted = given.split(',').map((each) => each.trim().toLowerCase())
    const known = documentContentTypes.filter((each) => wanted.includes(each))
    return known.length === new Set(wanted).size ? known : undefined
  },
}

export const documentSettings = {
  mbMax: whole(
    'LANDFALL_DOCUMENT_MB_MAX',
    { fallback: 25, min: 1, max: 100 },
    'Megabytes that a document may have at most.',
  ),
  acceptedTypes,
  mbPerDay: whole(
    'LANDFALL_DOCUMENT_MB_PER_DAY',
    { fallback: 2_000, min: 0, max: 10_000_000 },
    'Megabytes of documents that one account may hand in each day (UTC); 0 is no limit.',
  ),
  uploadsKeptHours: whole(
    'LANDFALL_UPLOADS_KEPT_HOURS',
    { fallback: 24, min: 1, max: 720 },
    'How long an uploaded file waits for the document that is made of it.',
  ),
  linkMinutes: whole(
    'LANDFALL_FILE_LINK_MINUTES',
    { fallback: 15, min: 1, max: 1_440 },
    'How long the signed address to upload or to download a file is good for.',
  ),
  deletedKeptDays: whole(
    'LANDFALL_DELETED_DOCUMENTS_KEPT_DAYS',
    { fallback: 30, min: 0, max: 3_650 },
    'How long the file and the pages of a deleted document are kept.',
  ),
  readAtOnce: whole(
    'LANDFALL_DOCUMENTS_AT_ONCE',
    { fallback: 1, min: 1, max: 16 },
    'Documents that this process reads at the same time; each takes a processor and some hundred megabytes.',
  ),
  storage: choice(
    'LANDFALL_FILES',
    ['disk', 's3'],
    'disk',
    'Where files are kept, encrypted in both: a folder of this machine, or a bucket that all processes reach. With several machines it must be a bucket or a shared folder.',
  ),
  folder: optionalText('LANDFALL_FILES_FOLDER', '`files` in the data folder', 'Folder of the files.'),
  s3Endpoint: url(
    'LANDFALL_S3_ENDPOINT',
    'needed for s3',
    'Where the service that speaks S3 is reached. It may be at an address that is not public.',
  ),
  s3Bucket: optionalText('LANDFALL_S3_BUCKET', 'needed for s3', 'Name of the bucket, which must exist.'),
  s3Region: text('LANDFALL_S3_REGION', 'us-east-1', 'Region in the signatures.'),
  s3AccessKey: optionalText('LANDFALL_S3_ACCESS_KEY', 'needed for s3', 'Id of the access key.'),
  s3SecretKey: secret('LANDFALL_S3_SECRET_KEY', 1, 'needed for s3', 'The secret access key.'),
  s3Addressing: choice(
    'LANDFALL_S3_ADDRESSING',
    ['path', 'host'],
    'path',
    'Where the bucket stands in an address: in the path, or in front of the host.',
  ),
} as const satisfies Record<string, Setting<unknown>>
