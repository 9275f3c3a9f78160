/**
 * The program that `read-pages-apart.ts` starts. Its argument says what to do with the file that comes on standard
 * input; the answer goes to standard output: of a reading the JSON, of a turned picture its bytes.
 */

import { readPages } from './read-pages.ts'
import type { PagesJob, RotationRefusal } from './read-pages-apart.ts'

const parts: Buffer[] = []
for await (const part of process.stdin) parts.push(part as Buffer)
const bytes = Buffer.concat(parts)
const job = JSON.parse(process.argv[2] ?? '') as PagesJob
process.stdout.write(
  job.verb === 'read' ? JSON.stringify(await readPages(bytes)) : await rotated(job.degrees),
)

/** The first byte says whether a picture follows, or why there is none. */
async function rotated(degrees: 90 | 180 | 270): Promise<Buffer> {
  // Loaded only here: a PDF with text needs no decoder of pictures.
  const { openImage, rotateImage } = await import('./image-pages.ts')
  const opened = await openImage(bytes)
  if (!opened.ok) return refusal({ reason: opened.reason, detail: opened.detail })
  if (opened.image.pageCount > 1)
    return refusal({ reason: 'unsupported_type', detail: 'A picture of several pages cannot be turned.' })
  const { format } = opened.image
  const turned = await rotateImage(bytes, degrees, format)
  return Buffer.concat([Buffer.from(`+${format}\n`), turned])
}

function refusal(why: RotationRefusal): Buffer {
  return Buffer.from(`-${JSON.stringify(why)}`)
}
