/**
 * The parts of a ZIP file by name. Each part is read only when it is needed, and all together never give more bytes
 * than allowed.
 */

import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl'
import { TableFault, tableBounds } from './table.ts'

export interface ZipParts {
  readonly has: (name: string) => boolean
  /** The part as text, piece by piece. Names are compared without case, as in ECMA-376 part 2. */
  readonly texts: (name: string) => AsyncGenerator<string>
}

/**
 * Declared sizes are checked before anything is unzipped. The unzipped bytes are counted too, because they may exceed
 * the declared size.
 */
export async function openZip(bytes: Buffer): Promise<ZipParts> {
  const zip = await fromBufferPromise(bytes, { lazyEntries: true, validateEntrySizes: true })
  const entries = await listEntries(zip)
  let bytesLeft: number = tableBounds.unzippedBytes
  return {
    has: (name) => entries.has(name.toLowerCase()),
    async *texts(name) {
      const entry = entries.get(name.toLowerCase())
      if (entry === undefined) throw new TableFault(`The workbook has no part ${name.slice(0, 80)}.`)
      const stream = await zip.openReadStreamPromise(entry)
      let decoder: InstanceType<typeof TextDecoder> | null = null
      for await (const chunk of stream) {
        const piece = chunk as Buffer
        bytesLeft -= piece.length
        if (bytesLeft < 0) throw tooLarge()
        decoder ??= new TextDecoder(encodingOf(piece), { fatal: true })
        yield decoder.decode(piece, { stream: true })
      }
      yield decoder?.decode() ?? ''
    },
  }
}

async function listEntries(zip: ZipFile): Promise<ReadonlyMap<string, Entry>> {
  if (zip.entryCount > tableBounds.entries)
    throw new TableFault(`The workbook has more than ${tableBounds.entries} parts.`)
  const entries = new Map<string, Entry>()
  let total = 0
  for await (const entry of zip.eachEntry()) {
    const { compressedSize, uncompressedSize } = entry
    total += uncompressedSize
    if (total > tableBounds.unzippedBytes) throw tooLarge()
    if (uncompressedSize > tableBounds.ratioFromBytes && uncompressedSize > compressedSize * tableBounds.ratio)
      throw new TableFault('The workbook is compressed more than any real one, so it is not opened.')
    if (entry.isEncrypted()) throw new TableFault('The workbook is protected by a password.')
    entries.set(entry.fileName.toLowerCase(), entry)
  }
  return entries
}

function encodingOf([first, second]: Buffer): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
}

function tooLarge(): TableFault {
  const megabytes = tableBounds.unzippedBytes / 1_048_576
  return new TableFault(`The workbook is larger than ${megabytes} MB when it is unpacked.`)
}
