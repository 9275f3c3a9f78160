/** One press from a value to its proof: who said it, by which rule it counts, and who said otherwise. */

import { createContext, type ReactNode, useContext, useRef } from 'react'
import { CodeBlock } from '../parts/code-block.tsx'
import { Icon } from '../parts/icon.tsx'
import { Moment } from '../parts/moment.tsx'
import { sourceMark, sourceWords } from '../words/names.ts'
import { shipmentWords as words } from '../words/shipment.ts'
import { VerbatimAnswer } from './verbatim-answer.tsx'

/** One statement of a source, as `meta.provenance` has it. */
interface SaidClaim {
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
interface Proof {
  readonly rule: string
  readonly said: SaidClaim | null
  readonly losers: readonly SaidClaim[]
}
/** By attribute. */
export type Provenance = Readonly<Record<string, Proof>>

/** The line of the shipment: its code has a name. */
export const LineName = createContext<{ readonly code: string; readonly name: string } | null>(null)

/** Names of the sources of these attributes, each once. */
export function useSources(proofs: Provenance, attributes: readonly string[]): readonly string[] {
  const line = useContext(LineName)
  return [
    ...new Set(
      attributes.flatMap((attribute) => {
        const said = proofs[attribute]?.said ?? null
        return said === null ? [] : [sourceMark(said.source, line)]
      }),
    ),
  ]
}

interface WhoSaidProps {
  readonly name: string
  readonly proof: Proof | null | undefined
  /** Of the place. */
  readonly zone?: string | null | undefined
  /** The name of the source is shown, else an icon. */
  readonly hasName?: boolean
}

export function WhoSaid({ name, proof, zone, hasName = false }: WhoSaidProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const line = useContext(LineName)
  if (!proof || (proof.said === null && proof.losers.length === 0)) return null
  const { said, losers } = proof
  const by = said === null ? null : sourceMark(said.source, line)
  return (
    <>
      <button
        type="button"
        className="who-said"
        title={by === null ? words.who : words.saidBy(by)}
        aria-label={`${by === null ? words.who : words.saidBy(by)}: ${name}`}
        onClick={() => dialog.current?.showModal()}
      >
        {hasName && by !== null ? by : <Icon name="said" />}
        {losers.length > 0 && <sup>+{losers.length}</sup>}
      </button>
      <dialog ref={dialog} className="proof" aria-label={`${words.who}: ${name}`}>
        <h2>
          {words.who}: {name}
        </h2>
        {said === null ? <p>{words.notASource}</p> : <Claim claim={said} zone={zone} />}
        <h3>{words.rule}</h3>
        <p>{proof.rule}</p>
        <h3>{words.losers}</h3>
        {losers.length === 0 && <p className="quiet">{words.losersNone}</p>}
        {losers.map((claim) => (
          <Claim key={claim.claim_id} claim={claim} zone={zone} />
        ))}
        <form method="dialog">
          <button type="submit">{words.close}</button>
        </form>
      </dialog>
    </>
  )
}

function Claim({ claim, zone }: { claim: SaidClaim; zone: string | null | undefined }) {
  const line = useContext(LineName)
  const { source, read_at: readAt, document } = claim
  const [kind, mark] = [sourceWords(source.kind), sourceMark(source, line)]
  return (
    <div className="claim">
      <p>
        <strong>{mark.includes(kind) ? mark : `${kind} ${mark}`}</strong>:{' '}
        <ValueOf value={claim.value} zone={zone ?? 'reader'} />
        {claim.why !== undefined && <span className="why"> {claim.why}</span>}
      </p>
      <p className="quiet">
        {words.readAt} <Moment at={readAt} zone="reader" />
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

/** A time as people read it, a place by its name, anything else as it came. */
function ValueOf({ value, zone }: { value: unknown; zone: string }): ReactNode {
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return <Moment at={value} zone={zone} />
  const name = (value as { readonly name?: unknown } | null)?.name
  return <code>{typeof value === 'string' ? value : typeof name === 'string' ? name : JSON.stringify(value)}</code>
}
