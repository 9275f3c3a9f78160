import type { Tone } from '../words/names.ts'

/** A status in words, with a tone that colour alone does not carry. */
export function Badge({ said: [text, tone] }: { said: readonly [string, Tone] }) {
  return <span className={`badge ${tone}`}>{text}</span>
}
