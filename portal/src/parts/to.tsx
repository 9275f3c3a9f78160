import { words } from '../words/words.ts'
import { Icon } from './icon.tsx'

/** "to", between two places or two values: an arrow for the eye. */
export function To() {
  return (
    <>
      <span className="unseen">{words.to}</span>
      <Icon name="to" />
    </>
  )
}
