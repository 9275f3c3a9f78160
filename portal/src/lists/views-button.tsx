/** Opens the saved views, which are loaded when they are asked for. */

import { lazy, Suspense, useState } from 'react'
import { listWords } from '../words/lists.ts'
import type { ViewsProps } from './views-menu.tsx'

const ViewsMenu = lazy(() => import('./views-menu.tsx').then(({ ViewsMenu }) => ({ default: ViewsMenu })))

export function ViewsButton(props: ViewsProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {listWords.views}
      </button>
      {isOpen && (
        <Suspense fallback={null}>
          <ViewsMenu {...props} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
