import { words } from '../words/words.ts'
import { CodeBlock } from './code-block.tsx'
import { useSay } from './said-line.tsx'

/** Text to be copied with one press. */
export function Copied({ text }: { text: string }) {
  const say = useSay()
  const copy = (): void => void navigator.clipboard.writeText(text).then(() => say(words.copied))
  return (
    <div className="copied">
      <CodeBlock>{text}</CodeBlock>
      <button type="button" onClick={copy}>
        {words.copy}
      </button>
    </div>
  )
}
