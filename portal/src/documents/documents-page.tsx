/** The account's documents: upload, see what was read with its place, correct, link, download, delete. */

import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useConnection } from '../api/queries.ts'
import { ReadMore } from '../lists/read-more.tsx'
import { useRows } from '../lists/use-rows.ts'
import { DropZone } from '../parts/drop-zone.tsx'
import { Moment } from '../parts/moment.tsx'
import { Panel } from '../parts/panel.tsx'
import { documentWords as words } from '../words/documents.ts'
import { plain } from '../words/names.ts'
import { DocumentPart } from './document-part.tsx'
import './documents.css'
import { uploadDocument } from './upload.ts'

export function DocumentsPage() {
  const connection = useConnection()
  const queries = useQueryClient()
  const [news, setNews] = useState<readonly string[]>([])
  const [openId, setOpenId] = useState<string | null>(null)
  const found = useRows('/v2/documents')
  const send = async (files: readonly File[]): Promise<void> => {
    for (const file of files) {
      setNews((before) => [...before, words.sending(file.name)])
      const said = await uploadDocument(connection, file).then(
        () => words.sent(file.name),
        (error: unknown) => `${file.name}: ${error instanceof Error ? error.message : String(error)}`,
      )
      setNews((before) => [...before.filter((each) => each !== words.sending(file.name)), said])
      await queries.invalidateQueries({ queryKey: ['/v2/documents'] })
    }
  }
  const documents = found.rows
  const open = openId ?? documents[0]?.id ?? null
  return (
    <div>
      <h1>{words.title}</h1>
      <p className="quiet">{words.about}</p>
      <DropZone
        label={words.drop}
        choose={words.choose}
        accept=".pdf,.jpg,.jpeg,.png,.tif,.tiff,.webp"
        isForSeveral
        onFiles={(files) => void send(files)}
      />
      <ul className="plain-list" aria-live="polite">
        {news.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      <div className="two-columns papers">
        <Panel title={words.title}>
          {found.isEmpty && <p className="quiet">{words.none}</p>}
          <ul className="plain-list paper-list">
            {documents.map(({ id, attributes, meta }) => (
              <li key={id}>
                <button type="button" aria-pressed={id === open} onClick={() => setOpenId(id)}>
                  <strong>{attributes.name}</strong>
                  <span className="under">
                    {plain(attributes.document_type_manual ?? attributes.document_type ?? '')} ·{' '}
                    {words.states[meta?.state ?? ''] ?? ''} · <Moment at={attributes.created_at} zone="UTC" />
                  </span>
                </button>
              </li>
            ))}
          </ul>
          <ReadMore list={found} />
        </Panel>
        {open !== null && <DocumentPart key={open} documentId={open} onDeleted={() => setOpenId(null)} />}
      </div>
    </div>
  )
}
