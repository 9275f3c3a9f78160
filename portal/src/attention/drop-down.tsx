/** A button that opens a small form. It closes with Escape, with a press elsewhere, and when the form is done. */

import { type ReactNode, useEffect, useRef, useState } from 'react'

export function DropDown({ label, children }: { label: ReactNode; children: (close: () => void) => ReactNode }) {
  const details = useRef<HTMLDetailsElement>(null)
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    if (!isOpen) return undefined
    const leave = (event: Event): void => {
      if (!details.current?.contains(event.target as Node)) setOpen(false)
    }
    document.addEventListener('pointerdown', leave)
    document.addEventListener('focusin', leave)
    return () => {
      document.removeEventListener('pointerdown', leave)
      document.removeEventListener('focusin', leave)
    }
  }, [isOpen])
  return (
    <details
      ref={details}
      className="drop-down"
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      onKeyDown={({ key, currentTarget }) => {
        if (key !== 'Escape') return
        setOpen(false)
        currentTarget.querySelector('summary')?.focus()
      }}
    >
      <summary className="button">{label}</summary>
      {isOpen && <div className="menu">{children(() => setOpen(false))}</div>}
    </details>
  )
}
