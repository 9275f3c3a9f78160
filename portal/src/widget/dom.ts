/** Makes an element. Texts become text nodes, so what a carrier wrote is never read as HTML. */
export function h(
  name: string,
  attributes: Readonly<Record<string, string>>,
  ...children: readonly (Node | string | null)[]
): HTMLElement {
  const made = document.createElement(name)
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value)
  made.append(...children.filter((child) => child !== null))
  return made
}
