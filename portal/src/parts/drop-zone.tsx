/** A place where files are dropped or chosen. */

import { type DragEvent, useState } from 'react'

interface DropZoneProps {
  readonly label: string
  readonly choose: string
  readonly accept: string
  readonly isForSeveral?: boolean
  readonly onFiles: (files: readonly File[]) => void
}

export function DropZone({ label, choose, accept, isForSeveral = false, onFiles }: DropZoneProps) {
  const [isOver, setOver] = useState(false)
  const drop = (event: DragEvent): void => {
    event.preventDefault()
    setOver(false)
    onFiles([...event.dataTransfer.files])
  }
  return (
    <label
      className={isOver ? 'drop over' : 'drop'}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <span>{label}</span>
      <input
        type="file"
        multiple={isForSeveral}
        aria-label={choose}
        accept={accept}
        onChange={(event) => onFiles([...(event.target.files ?? [])])}
      />
    </label>
  )
}
