/** Headers for a file that a stranger made: it is saved, never shown or run as a page of ours. */

/** RFC 6266, with the complete name as RFC 8187 writes it and a plain one for old clients. */
export function attachmentHeaders(file: {
  readonly fileName: string
  readonly contentType: string | null
}): Readonly<Record<string, string>> {
  return {
    'content-type': file.contentType ?? 'application/octet-stream',
    'content-disposition': dispositionOf(file.fileName),
    'x-content-type-options': 'nosniff',
    'content-security-policy': "sandbox; default-src 'none'",
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'cache-control': 'private, no-store',
  }
}

export function dispositionOf(fileName: string): string {
  const name =
    fileName
      .split(/[/\\]/)
      .at(-1)
      ?.replace(/\p{Cc}/gu, '') || 'document'
  const plain = name.replace(/[^\x20-\x7e]/g, '_').replace(/["\\%]/g, '_')
  const isPlain = plain === name
  return `attachment; filename="${plain}"${isPlain ? '' : `; filename*=UTF-8''${encodeExtValue(name)}`}`
}

/** RFC 8187, 3.2.1: what is no `attr-char` is percent-encoded. */
function encodeExtValue(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
