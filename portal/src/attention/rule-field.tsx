import { type ComponentProps, useId } from 'react'
import type { Fault } from '../api/connection.ts'

interface RuleFieldProps extends ComponentProps<'input'> {
  readonly label: string
  readonly hint?: string
  readonly faults: readonly Fault[]
  /** The attribute, as in the pointer of a fault. */
  readonly at: string
}

/** A field of a rule, with what is wrong in it. */
export function RuleField({ label, hint, faults, at, ...input }: RuleFieldProps) {
  const id = useId()
  const fault = faultAt(faults, at)
  const described = [...(hint === undefined ? [] : [`${id}-hint`]), ...(fault === null ? [] : [`${id}-fault`])]
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        {...input}
        id={id}
        aria-invalid={fault !== null}
        {...(described.length === 0 ? {} : { 'aria-describedby': described.join(' ') })}
      />
      {hint !== undefined && (
        <span className="under" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {fault !== null && (
        <span className="fault under" id={`${id}-fault`} role="alert">
          {fault}
        </span>
      )}
    </div>
  )
}

/** Also of a part of the attribute, such as the second address. */
export function faultAt(faults: readonly Fault[], at: string): string | null {
  const pointer = `/data/attributes/${at}`
  const found = faults.find(({ source }) => `${source?.pointer ?? ''}/`.startsWith(`${pointer}/`))
  return found === undefined ? null : (found.detail ?? found.title ?? '')
}
