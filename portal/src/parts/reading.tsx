import { words } from '../words/words.ts'

/** Stands where an answer of the API will be. */
export function Reading() {
  // No paragraph: the paragraph that follows would count as one that has moved.
  return <div className="quiet">{words.reading}</div>
}
