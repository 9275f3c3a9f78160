import { type RefObject, useLayoutEffect, useRef } from 'react'

/** A dialog that is open as long as it is drawn: before the next key is pressed, so that no typed letter is lost. */
export function useDialog(): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => dialog.current?.showModal(), [])
  return dialog
}
