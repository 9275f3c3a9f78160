/** Writes a table as CSV (RFC 4180), as the imports read it. */

export function writeCsv(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  return [headings, ...rows].map((row) => row.map(writeCell).join(',')).join('\r\n')
}

function writeCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
