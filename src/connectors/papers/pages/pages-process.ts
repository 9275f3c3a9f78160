/**
 * The program that `read-pages-apart.ts` starts. Its argument is the operation for the file on standard input. The
 * result goes to standard output: JSON for a reading, bytes for a turned picture.
 */

import { readPages } from './read-pages.ts'
import type { PagesJob, RotationRefusal } from './read-pages-apart.ts'

const chunks: Buffer[] = []
for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
const bytes = Buffer.concat(chunks)
const job = JSON.parse(process.argv[2] ?? '') as PagesJob
process.stdout.write(
  job.verb === 'read' ? JSON.stringify(await readPages(bytes, job)) : await encodeRotation(job.degrees),
)

/** The first byte states whether a picture follows, or why there is none. */
async function encodeRotation(degrees: 90 | 180 | 270): Promise<Buffer> {
  // Loaded only here: a PDF with text needs no decoder of pictures.
  const { openImage, rotateImage } = await import('./image-pages.ts')
  const opened = await openImage(bytes)
  if (!opened.ok) return encodeRefusal({ reason: opened.reason, detail: opened.detail })
  if (opened.image.pageCount > 1)
    return encodeRefusal({
      reason: 'unsupported_type',
      detail: 'A picture of several pages cannot be rotated.',
    })
  const { format } = opened.image
  const turned = await rotateImage(bytes, degrees, format)
  return Buffer.concat([Buffer.from(`+${format}\n`), turned])
}

function encodeRefusal(why: RotationRefusal): Buffer {
  return Buffer.from(`-${JSON.stringify(why)}`)
}
