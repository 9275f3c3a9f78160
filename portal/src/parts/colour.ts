/** The value of a custom property that is a colour, as a drawing on a canvas needs it: for the theme that is shown. */
export function colourOf(element: HTMLElement, property: string): string {
  const probe = document.createElement('span')
  probe.style.color = `var(${property})`
  probe.hidden = true
  element.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}
