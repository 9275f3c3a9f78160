/** Which columns a list shows: a menu that is open when it comes. */

import * as Menu from '@radix-ui/react-dropdown-menu'
import { words } from '../words/words.ts'

export interface ColumnsMenuProps {
  readonly all: readonly (readonly [string, string])[]
  readonly shown: readonly string[]
  readonly onChange: (shown: readonly string[]) => void
}

export function ColumnsMenu({ all, shown, onChange }: ColumnsMenuProps) {
  return (
    <Menu.Root modal={false} defaultOpen>
      <Menu.Trigger asChild>
        <button type="button">{words.list.columns}</button>
      </Menu.Trigger>
      <Menu.Content className="menu" align="end" sideOffset={4}>
        {all.map(([id, label]) => (
          <Menu.CheckboxItem
            key={id}
            className="menu-item"
            checked={shown.includes(id)}
            onSelect={(event) => event.preventDefault()}
            onCheckedChange={(isOn) =>
              onChange(all.map(([each]) => each).filter((each) => (each === id ? isOn : shown.includes(each))))
            }
          >
            <Menu.ItemIndicator className="menu-tick">✓</Menu.ItemIndicator>
            {label}
          </Menu.CheckboxItem>
        ))}
      </Menu.Content>
    </Menu.Root>
  )
}
