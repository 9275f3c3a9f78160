/** On a phone: three ways at the foot that are needed every day, and a menu with the others, all in words. */

import { useEffect, useRef, useState } from 'react'
import { Icon } from '../parts/icon.tsx'
import { words } from '../words/words.ts'
import { isCurrent, type Way, WayLink, WayList, type WaysProps } from './ways.tsx'

const daily: readonly Way[] = [
  { to: '/attention', label: words.nav.today, icon: 'attention' },
  { to: '/track', label: words.nav.track, icon: 'track' },
  { to: '/containers', label: words.nav.list, icon: 'containers' },
]

export function PhoneWays({ ways, path }: WaysProps) {
  const [isOpen, setOpen] = useState(false)
  const menu = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a way was gone
  useEffect(() => setOpen(false), [path])
  useEffect(() => {
    if (!isOpen) return undefined
    menu.current?.querySelector('a')?.focus()
    const press = ({ key }: KeyboardEvent): void => {
      if (key === 'Escape') setOpen(false)
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [isOpen])
  const others = ways.filter(({ to }) => !daily.some((each) => each.to === to))
  const isElsewhere = others.some(({ to }) => isCurrent(path, to))
  return (
    <nav className="ways" aria-label={words.nav.label}>
      {isOpen && (
        <div ref={menu} id="more-ways" className="more-ways">
          <WayList ways={others} path={path} />
        </div>
      )}
      <ul>
        {daily.map((way) => (
          <li key={way.to}>
            <WayLink way={way} path={path} />
          </li>
        ))}
        <li>
          <button
            type="button"
            aria-expanded={isOpen}
            aria-controls="more-ways"
            className={isElsewhere ? 'current' : ''}
            onClick={() => setOpen(!isOpen)}
          >
            <Icon name={isOpen ? 'close' : 'menu'} />
            <span>{words.nav.more}</span>
          </button>
        </li>
      </ul>
    </nav>
  )
}
