import type { Connection } from '../api/connection.ts'
import { saveFile } from '../parts/save-file.ts'

/** Saves the list with its filters as a CSV file. */
export async function downloadList(connection: Connection, path: string): Promise<void> {
  saveFile(await connection.blob(path, 'text/csv'), `${path.split(/[/?]/)[2] ?? 'list'}.csv`)
}
