import type { Connection } from '../api/connection.ts'

/** Saves the list with its filters as a CSV file. The key goes into a header, so a plain link cannot do it. */
export async function downloadList(connection: Connection, path: string): Promise<void> {
  const answer = await fetch(path, { headers: connection.headers('text/csv'), cache: 'no-store' })
  if (!answer.ok) throw new Error(`The export answered ${answer.status}.`)
  const url = URL.createObjectURL(await answer.blob())
  const link = document.createElement('a')
  link.href = url
  link.download = `${path.split(/[/?]/)[2] ?? 'list'}.csv`
  link.click()
  URL.revokeObjectURL(url)
}
