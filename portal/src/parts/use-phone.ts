import { useSyncExternalStore } from 'react'

/** The same width as in the style sheets. */
const phone = matchMedia('(max-width: 52rem)')

function follow(changed: () => void): () => void {
  phone.addEventListener('change', changed)
  return () => phone.removeEventListener('change', changed)
}

/** Whether the window is as narrow as a phone's. */
export function usePhone(): boolean {
  return useSyncExternalStore(follow, () => phone.matches)
}
