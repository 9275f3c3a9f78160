/** One press from a value to its proof: who said it, by which rule it counts, and who said otherwise. */

import { useRef } from 'react'
import { CodeBlock } from '../parts/code-block.tsx'
import { Moment } from '../parts/moment.tsx'
import { sourceWords } from '../words/names.ts'
import { shipmentWords as words } from '../words/shipment.ts'
import { VerbatimAnswer } from './verbatim-answer.tsx'

/** One statement of a source, as `meta.provenance` has it. */
export interface SaidClaim {
  readonly source: { readonly kind: string; readonly code: string }
  readonly value: unknown
  readonly classifier: string | null
  readonly stated_at: string | null
  readonly read_at: string
  readonly claim_id: string
  readonly snapshot_id: string | null
  readonly words: string | null
  readonly notation: string
  readonly why?: string
  readonly document?: { readonly name: string; readonly page: number | null; readonly text: string | null }
}
export interface Proof {
  readonly rule: string
  readonly said: SaidClaim | null
  readonly losers: readonly SaidClaim[]
}
/** By attribute. */
export type Provenance = Readonly<Record<string, Proof>>

export function WhoSaid({ name, proof }: { name: string; proof: Proof | null }) {
  const dialog = useRef<HTMLDialogElement>(null)
  if (proof === null) return null
  const { said } = proof
  return (
    <>
      <button type="button" className="link who-said" onClick={() => dialog.current?.showModal()}>
        {said === null ? words.who : words.saidBy(`${sourceWords(said.source.kind)} ${said.source.code}`)}
        <span className="unseen">: {name}</span>
        {proof.losers.length > 0 && <span className="count">+{proof.losers.length}</span>}
      </button>
      <dialog ref={dialog} className="proof" aria-label={`${words.who}: ${name}`}>
        <h2>
          {words.who}: {name}
        </h2>
        {said === null ? <p>{words.notASource}</p> : <Claim claim={said} />}
        <h3>{words.rule}</h3>
        <p>{proof.rule}</p>
        <h3>{words.losers}</h3>
        {proof.losers.length === 0 && <p className="quiet">{words.losersNone}</p>}
        {proof.losers.map((claim) => (
          <Claim key={claim.claim_id} claim={claim} />
        ))}
        <form method="dialog">
          <button type="submit">{words.close}</button>
        </form>
      </dialog>
    </>
  )
}

function Claim({ claim }: { claim: SaidClaim }) {
  const { source, value, read_at: readAt, document } = claim
  return (
    <div className="claim">
      <p>
        <strong>
          {sourceWords(source.kind)} {source.code}
        </strong>
        : <code>{typeof value === 'string' ? value : JSON.stringify(value)}</code>
        {claim.why !== undefined && <span className="why"> {claim.why}</span>}
      </p>
      <p className="quiet">
        {words.readAt} <Moment at={readAt} zone="UTC" />
      </p>
      {document !== undefined && (
        <p>
          {document.name}, {document.page}: “{document.text}”
        </p>
      )}
      <details>
        <summary>{words.verbatim}</summary>
        {claim.words !== null && <CodeBlock>{claim.words}</CodeBlock>}
        <CodeBlock title={words.notation}>{claim.notation}</CodeBlock>
        <p className="quiet">
          <code>{claim.claim_id}</code>
        </p>
        {claim.snapshot_id !== null && <VerbatimAnswer snapshotId={claim.snapshot_id} />}
      </details>
    </div>
  )
}
