import { words } from '../words/words.ts'
import { CodeBlock } from './code-block.tsx'
import { useSay } from './said-line.tsx'

/** Text to be copied with one press. */
export function Copied({ text }: { text: string }) {
  const say = useSay()
  // Browsers give a page no clipboard where it came over plain HTTP from another machine.
  const copy = (): void => {
    if (navigator.clipboard === undefined) say(words.copyByHand)
    else
      navigator.clipboard.writeText(text).then(
        () => say(words.copied),
        () => say(words.copyByHand),
      )
  }
  return (
    <div className="copied">
      <CodeBlock>{text}</CodeBlock>
      <button type="button" onClick={copy}>
        {words.copy}
      </button>
    </div>
  )
}
