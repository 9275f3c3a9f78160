/** Saves the list as a file for a spreadsheet. What writes it is loaded when it is asked for. */

import { lazy, Suspense, useState } from 'react'
import type { Connection } from '../api/connection.ts'
import { useConnection } from '../api/queries.ts'
import { useSay } from '../parts/said-line.tsx'
import { listWords } from '../words/lists.ts'
import type { exportList, FileKind } from './export-list.ts'

const ExportMenu = lazy(() => import('./export-menu.tsx').then(({ ExportMenu }) => ({ default: ExportMenu })))

export interface Exporting {
  readonly isBusy: boolean
  readonly save: (kind: FileKind) => void
}

/** `list`: what is shown when the file is asked for. */
export function useExport<Row>(list: () => Parameters<typeof exportList<Row>>[2]): Exporting {
  const connection = useConnection()
  const say = useSay()
  const [isBusy, setBusy] = useState(false)
  const save = async (kind: FileKind): Promise<void> => {
    setBusy(true)
    try {
      say(listWords.saved(await write(connection, kind, list())))
    } catch (error) {
      say(error instanceof Error ? error.message : String(error))
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, save: (kind) => void (isBusy || save(kind)) }
}

async function write<Row>(connection: Connection, kind: FileKind, list: Parameters<typeof exportList<Row>>[2]) {
  const { exportList } = await import('./export-list.ts')
  return exportList(connection, kind, list)
}

export function ExportButton({ exporting }: { exporting: Exporting }) {
  const [isAsked, setAsked] = useState(false)
  const button = (
    <button type="button" aria-haspopup="menu" aria-busy={exporting.isBusy} onClick={() => setAsked(true)}>
      {exporting.isBusy ? listWords.saving : listWords.export}
    </button>
  )
  if (!isAsked) return button
  return (
    <Suspense fallback={button}>
      <ExportMenu exporting={exporting} />
    </Suspense>
  )
}
