/** Cuts a text to a length, never in the middle of a character. */
export function cutText(text: string, lengthMax: number): string {
  return text.slice(0, lengthMax).replace(/[\ud800-\udbff]$/, '')
}
