import type { GivenForInvoice } from '../documents/audit-paper.ts'
import { chargeWords } from '../words/charges.ts'

const words = chargeWords.invoices

interface ChargeChoiceProps {
  readonly value: Required<GivenForInvoice>
  readonly onChange: (value: Required<GivenForInvoice>) => void
  readonly hasCurrency?: boolean
}

/** What is charged, by whom, in which currency. */
export function ChargeChoice({ value, onChange, hasCurrency = false }: ChargeChoiceProps) {
  const choice = (name: 'kind' | 'charged_by', choices: Readonly<Record<string, string>>) => (
    <label className="field">
      <span>{words.choices[name]}</span>
      <select value={value[name]} onChange={(event) => onChange({ ...value, [name]: event.target.value })}>
        {Object.entries(choices).map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
  return (
    <>
      {choice('kind', chargeWords.kinds)}
      {choice('charged_by', words.chargers)}
      {hasCurrency && (
        <label className="field">
          <span>{words.choices.currency}</span>
          <input
            value={value.currency}
            maxLength={3}
            onChange={(event) => onChange({ ...value, currency: event.target.value.toUpperCase() })}
          />
        </label>
      )}
    </>
  )
}
