/** Opens the menu of columns. The menu is loaded when it is asked for: it would be a sixth of the page's script. */

import { lazy, Suspense, useState } from 'react'
import { listWords } from '../words/lists.ts'
import type { ColumnsMenuProps } from './columns-menu.tsx'

const ColumnsMenu = lazy(() => import('./columns-menu.tsx').then(({ ColumnsMenu }) => ({ default: ColumnsMenu })))

export function ColumnsButton(props: ColumnsMenuProps) {
  const [isAsked, setAsked] = useState(false)
  const button = (
    <button type="button" aria-haspopup="menu" onClick={() => setAsked(true)}>
      {listWords.columns}
    </button>
  )
  if (!isAsked) return button
  return (
    <Suspense fallback={button}>
      <ColumnsMenu {...props} />
    </Suspense>
  )
}
