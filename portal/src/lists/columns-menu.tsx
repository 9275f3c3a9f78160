/** Which columns a list shows: a menu that is open when it comes. */

import * as Menu from '@radix-ui/react-dropdown-menu'
import { Icon } from '../parts/icon.tsx'
import { listWords } from '../words/lists.ts'
import type { Density } from './data-table.tsx'

export interface ColumnsMenuProps {
  readonly all: readonly (readonly [string, string])[]
  readonly shown: readonly string[]
  readonly onChange: (shown: readonly string[]) => void
  readonly density: Density
  readonly onDensity: (density: Density) => void
}

export function ColumnsMenu({ all, shown, onChange, density, onDensity }: ColumnsMenuProps) {
  return (
    <Menu.Root modal={false} defaultOpen>
      <Menu.Trigger asChild>
        <button type="button">{listWords.columns}</button>
      </Menu.Trigger>
      <Menu.Content className="menu" align="end" sideOffset={4}>
        <Menu.CheckboxItem
          className="menu-item apart"
          checked={density === 'comfortable'}
          onSelect={(event) => event.preventDefault()}
          onCheckedChange={(isOn) => onDensity(isOn ? 'comfortable' : 'dense')}
        >
          <Menu.ItemIndicator className="menu-tick">
            <Icon name="tick" />
          </Menu.ItemIndicator>
          {listWords.comfortable}
        </Menu.CheckboxItem>
        {all.map(([id, label]) => (
          <Menu.CheckboxItem
            key={id}
            className="menu-item"
            checked={shown.includes(id)}
            onSelect={(event) => event.preventDefault()}
            onCheckedChange={(isOn) =>
              // Those that are shown keep their order, and a new one comes last.
              onChange([...shown.filter((each) => each !== id && each !== 'number'), ...(isOn ? [id] : [])])
            }
          >
            <Menu.ItemIndicator className="menu-tick">
              <Icon name="tick" />
            </Menu.ItemIndicator>
            {label}
          </Menu.CheckboxItem>
        ))}
      </Menu.Content>
    </Menu.Root>
  )
}
