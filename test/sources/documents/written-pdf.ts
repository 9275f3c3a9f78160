/** Writes a PDF object by object, for what no library would write. */

/** One page of 400 by 400 points whose content is this, in PDF's own words; F1 is Helvetica, `resources` adds more. */
export function writePage(
  content: string | Buffer,
  { page = '', resources = '', more = [], catalog = '', dictionary = '' }: PagePieces = {},
): Buffer {
  const stream = Buffer.isBuffer(content) ? content : Buffer.from(content, 'latin1')
  return writeObjects([
    `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 400] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> ${resources} >> ${page} >>`,
    streamOf(stream, dictionary),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    ...more,
  ])
}

export interface PagePieces {
  /** Entries of the page. */
  readonly page?: string
  readonly resources?: string
  /** Objects from number 6 on. */
  readonly more?: readonly (string | Buffer)[]
  readonly catalog?: string
  /** Entries of the content's stream. */
  readonly dictionary?: string
}

export function streamOf(bytes: Buffer, dictionary = ''): Buffer {
  return Buffer.concat([
    Buffer.from(`<< /Length ${bytes.length} ${dictionary} >>\nstream\n`, 'latin1'),
    bytes,
    Buffer.from('\nendstream', 'latin1'),
  ])
}

/** The first object is the catalog. */
export function writeObjects(objects: readonly (string | Buffer)[]): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n', 'latin1')]
  let size = 9
  const offsets: number[] = []
  const add = (part: string | Buffer) => {
    const bytes = Buffer.isBuffer(part) ? part : Buffer.from(part, 'latin1')
    parts.push(bytes)
    size += bytes.length
  }
  objects.forEach((object, index) => {
    offsets.push(size)
    add(`${index + 1} 0 obj\n`)
    add(object)
    add('\nendobj\n')
  })
  const start = size
  add(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`)
  for (const offset of offsets) add(`${String(offset).padStart(10, '0')} 00000 n \n`)
  add(`trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`)
  return Buffer.concat(parts)
}
