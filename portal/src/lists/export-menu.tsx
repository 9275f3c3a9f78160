/** The kinds of files: a menu that is open when it comes. */

import * as Menu from '@radix-ui/react-dropdown-menu'
import { listWords } from '../words/lists.ts'
import type { Exporting } from './export-button.tsx'

export function ExportMenu({ exporting }: { exporting: Exporting }) {
  return (
    <Menu.Root modal={false} defaultOpen>
      <Menu.Trigger asChild>
        <button type="button" aria-busy={exporting.isBusy}>
          {exporting.isBusy ? listWords.saving : listWords.export}
        </button>
      </Menu.Trigger>
      <Menu.Content className="menu" align="end" sideOffset={4}>
        {(['xlsx', 'csv'] as const).map((kind) => (
          <Menu.Item key={kind} className="menu-item plain" onSelect={() => exporting.save(kind)}>
            {listWords.fileKinds[kind]}
          </Menu.Item>
        ))}
      </Menu.Content>
    </Menu.Root>
  )
}
