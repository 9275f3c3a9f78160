/** Makes a share link for a shipment or a saved view, and shows it once. */

import { type FormEvent, useRef, useState } from 'react'
import type { ShareLink } from '../../../sdk/typescript/src/description.generated.ts'
import { useConnection } from '../api/queries.ts'
import { Copied } from '../parts/copied.tsx'
import { sharingWords as words } from '../words/sharing.ts'

interface ShareButtonProps {
  readonly shared: { readonly type: 'shipment' | 'saved_view'; readonly id: string }
  readonly name: string
}

export function ShareButton({ shared, name }: ShareButtonProps) {
  const connection = useConnection()
  const dialog = useRef<HTMLDialogElement>(null)
  const [url, setUrl] = useState<string | null>(null)
  const [fault, setFault] = useState('')
  const make = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const text = (field: string): string => String(form.get(field) ?? '').trim()
    const attributes = {
      name: text('name') || name,
      color: text('color'),
      allowed_origins: text('origins').split(/\s+/).filter(Boolean),
      ...(text('company') === '' ? {} : { company_name: text('company') }),
    }
    const data = { type: 'share_link', attributes, relationships: { [shared.type]: { data: shared } } }
    try {
      const answer = (await connection.ask('POST', '/v2/share_links', { data })) as { data: ShareLink }
      setUrl(answer.data.attributes.url ?? null)
      setFault('')
    } catch (error) {
      setFault(error instanceof Error ? error.message : String(error))
    }
  }
  return (
    <>
      <button
        type="button"
        onClick={() => {
          setUrl(null)
          dialog.current?.showModal()
        }}
      >
        {words.share}
      </button>
      <dialog ref={dialog} aria-label={words.shareTitle}>
        <h2>{words.shareTitle}</h2>
        <p className="quiet">{words.shareAbout}</p>
        {url === null ? (
          <form className="stack" onSubmit={(event) => void make(event)}>
            <label className="field">
              <span>{words.name}</span>
              <input name="name" defaultValue={name} maxLength={200} />
            </label>
            <label className="field">
              <span>{words.company}</span>
              <input name="company" maxLength={200} />
            </label>
            <label className="field">
              <span>{words.color}</span>
              <input name="color" type="color" defaultValue="#0a5c86" />
            </label>
            <label className="field">
              <span>{words.origins}</span>
              <input name="origins" placeholder="https://www.example.com" />
            </label>
            {fault !== '' && (
              <p className="fault" role="alert">
                {fault}
              </p>
            )}
            <button type="submit" className="primary">
              {words.make}
            </button>
          </form>
        ) : (
          <Made url={url} />
        )}
        <form method="dialog">
          <button type="submit">{words.close}</button>
        </form>
      </dialog>
    </>
  )
}

function Made({ url }: { url: string }) {
  const token = url.split('/').at(-1) ?? ''
  const code = `<script type="module" src="${location.origin}/portal/widget.js"></script>
<landfall-shipment share="${token}"></landfall-shipment>`
  return (
    <div role="status">
      <p>{words.made}</p>
      <Copied text={url} />
      <p>
        <a href={url} target="_blank" rel="noreferrer">
          {words.open}
        </a>
      </p>
      <h3>{words.embed}</h3>
      <Copied text={code} />
    </div>
  )
}
