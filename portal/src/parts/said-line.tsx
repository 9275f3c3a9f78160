/** One line at the foot of the window that says what a press has done. Screen readers read it out. */

import { createContext, type ReactNode, useCallback, useContext, useMemo, useRef, useState } from 'react'

const shownMs = 6_000
const Say = createContext<(sentence: string) => void>(() => undefined)

/** Shows a sentence for some seconds. */
export const useSay = (): ((sentence: string) => void) => useContext(Say)

export function SaidLine({ children }: { children: ReactNode }) {
  const [sentence, setSentence] = useState('')
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const say = useCallback((text: string) => {
    clearTimeout(timer.current)
    setSentence(text)
    timer.current = setTimeout(() => setSentence(''), shownMs)
  }, [])
  const line = useMemo(() => say, [say])
  return (
    <Say.Provider value={line}>
      {children}
      <p className="said-line" role="status">
        {sentence}
      </p>
    </Say.Provider>
  )
}
