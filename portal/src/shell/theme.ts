/** Light or dark, as the reader chose in this browser; without a choice it is as the system has it. */

const name = 'landfall-theme'

export const ThemeOf = {
  apply(): void {
    const chosen = localStorage.getItem(name)
    if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset['theme'] = chosen
  },
  change(): void {
    const { theme } = document.documentElement.dataset
    const isDark = theme === undefined ? matchMedia('(prefers-color-scheme: dark)').matches : theme === 'dark'
    const next = isDark ? 'light' : 'dark'
    document.documentElement.dataset['theme'] = next
    localStorage.setItem(name, next)
  },
}
