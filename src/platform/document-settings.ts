/**
 * The settings about documents: how large they may be, and where their files are stored and for how long; a group of
 * the table in `settings.ts`.
 */

import { choice, integer, optionalText, type Setting, secret, text, url } from './setting.ts'

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
  otherwise: 'all kinds that can be read',
  accepts: `some of ${documentContentTypes.join(', ')}, separated by commas`,
  about: 'Kinds of files that are accepted as documents.',
  parse: (given) => {
    const wanted = given.split(',').map((each) => each.trim().toLowerCase())
    const known = documentContentTypes.filter((each) => wanted.includes(each))
    return known.length === new Set(wanted).size ? known : undefined
  },
}

export const documentSettings = {
  mbMax: integer(
    'LANDFALL_DOCUMENT_MB_MAX',
    { fallback: 25, min: 1, max: 100 },
    'Largest size of a document, in megabytes.',
  ),
  acceptedTypes,
  mbPerDay: integer(
    'LANDFALL_DOCUMENT_MB_PER_DAY',
    { fallback: 2_000, min: 0, max: 10_000_000 },
    'Megabytes of documents that one account may send each day (UTC); 0: no limit.',
  ),
  uploadsKeptHours: integer(
    'LANDFALL_UPLOADS_KEPT_HOURS',
    { fallback: 24, min: 1, max: 720 },
    'How long an uploaded file is kept until a document is created from it. After this time it is deleted.',
  ),
  linkMinutes: integer(
    'LANDFALL_FILE_LINK_MINUTES',
    { fallback: 15, min: 1, max: 1_440 },
    'How long the signed address for an upload or a download of a file is valid.',
  ),
  deletedKeptDays: integer(
    'LANDFALL_DELETED_DOCUMENTS_KEPT_DAYS',
    { fallback: 30, min: 0, max: 3_650 },
    'How long the file and the pages of a deleted document are still kept.',
  ),
  readAtOnce: integer(
    'LANDFALL_DOCUMENTS_AT_ONCE',
    { fallback: 1, min: 1, max: 16 },
    'How many documents this process reads at the same time. Each needs one processor and some hundred megabytes of memory.',
  ),
  storage: choice(
    'LANDFALL_FILES',
    ['disk', 's3'],
    'disk',
    'Where files are stored. disk: in a folder of this machine. s3: in a bucket. Both are encrypted. An installation on several machines needs a bucket or a shared folder.',
  ),
  folder: optionalText('LANDFALL_FILES_FOLDER', '`files` in the data folder', 'Folder of the files.'),
  s3Endpoint: url(
    'LANDFALL_S3_ENDPOINT',
    'needed for s3',
    'Address of the S3 service. It may be in a private network.',
  ),
  s3Bucket: optionalText('LANDFALL_S3_BUCKET', 'needed for s3', 'Name of the bucket, which must exist.'),
  s3Region: text('LANDFALL_S3_REGION', 'us-east-1', 'Region that is used in the signatures.'),
  s3AccessKey: optionalText('LANDFALL_S3_ACCESS_KEY', 'needed for s3', 'Id of the access key.'),
  s3SecretKey: secret('LANDFALL_S3_SECRET_KEY', 1, 'needed for s3', 'The secret access key.'),
  s3Addressing: choice(
    'LANDFALL_S3_ADDRESSING',
    ['path', 'host'],
    'path',
    'Where the name of the bucket is in an address. path: in the path. host: in front of the host.',
  ),
} as const satisfies Record<string, Setting<unknown>>
