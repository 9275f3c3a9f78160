/** Names that strangers chose: of files, and of documents. They are shown, and go into headers; never into a path. */

const nameLengthMax = 200

/** The last part of what may be a path, without characters that no name has. Never empty. */
export function cleanFileName(given: string): string {
  const last = given.split(/[/\\]/).at(-1) ?? ''
  const cleaned = truncateName(stripInvisible(last).replace(/^\.+/, ''))
  return cleaned === '' ? 'document' : cleaned
}

/** Null when nothing is left that can be shown. */
export function cleanName(given: string): string | null {
  const name = truncateName(stripInvisible(given))
  return name === '' ? null : name
}

/** Control characters, and those that change the direction of a text, could make a name look like another. */
function stripInvisible(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')
    .trim()
}

/** Never in the middle of a character. */
function truncateName(text: string): string {
  return text
    .slice(0, nameLengthMax)
    .replace(/[\ud800-\udbff]$/, '')
    .trim()
}
