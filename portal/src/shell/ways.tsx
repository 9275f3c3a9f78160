/** Links to the pages, one of which is the present one. */

import { Link } from '@tanstack/react-router'
import { Icon, type IconName } from '../parts/icon.tsx'

export interface Way {
  readonly to: string
  readonly label: string
  readonly icon: IconName
}
export interface WaysProps {
  readonly ways: readonly Way[]
  readonly path: string
}

export function WayList({ ways, path }: WaysProps) {
  return (
    <ul>
      {ways.map((way) => (
        <li key={way.to}>
          <WayLink way={way} path={path} />
        </li>
      ))}
    </ul>
  )
}

export function WayLink({ way: { to, label, icon }, path }: { way: Way; path: string }) {
  return (
    <Link to={to} {...(isCurrent(path, to) ? { 'aria-current': 'page' as const } : {})}>
      <Icon name={icon} />
      <span>{label}</span>
    </Link>
  )
}

export function isCurrent(path: string, to: string): boolean {
  if (to === '/') return path === '/'
  return path.startsWith(`/${to.split('/')[1] ?? ''}`)
}
