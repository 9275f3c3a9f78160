/** Makes elements from plain data, and updates the page without losing focus or scroll position. */

/** @typedef {Node | string | number | null | undefined | false | readonly Child[]} Child */
/** @typedef {Readonly<Record<string, string | number | boolean | null | undefined>>} Attributes */

/**
 * Makes an element. Children that are no nodes become text nodes, so that a text from a carrier is never read as HTML.
 * @param {string} name
 * @param {Attributes | null} attributes
 * @param {...Child} children
 * @returns {HTMLElement}
 */
export function h(name, attributes, ...children) {
  const element = document.createElement(name)
  for (const [attribute, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue
    element.setAttribute(attribute, value === true ? '' : String(value))
  }
  append(element, children)
  return element
}

/**
 * @param {Node} parent
 * @param {readonly Child[]} children
 */
function append(parent, children) {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue
    if (Array.isArray(child)) append(parent, child)
    else parent.appendChild(child instanceof Node ? child : document.createTextNode(String(child)))
  }
}

/**
 * Makes the children of `parent` equal to those of `wanted`, and reuses every node that can stay. Elements with the
 * same `data-key` are the same element; others are matched by their position.
 * @param {Node} parent
 * @param {Node} wanted
 */
export function morph(parent, wanted) {
  const kept = new Map()
  for (const child of parent.childNodes) if (keyOf(child) !== null) kept.set(keyOf(child), child)
  let current = parent.firstChild
  for (const next of Array.from(wanted.childNodes)) {
    const key = keyOf(next)
    const match =
      key === null ? (current !== null && keyOf(current) === null ? current : null) : kept.get(key)
    if (match && match.nodeName === next.nodeName) {
      if (match === current) current = current?.nextSibling ?? null
      else parent.insertBefore(match, current)
      change(match, next)
    } else parent.insertBefore(next, current)
  }
  while (current !== null) {
    const next = current.nextSibling
    current.remove()
    current = next
  }
}

/**
 * @param {Node} node
 * @param {Node} wanted
 */
function change(node, wanted) {
  if (!(node instanceof Element) || !(wanted instanceof Element)) {
    if (node.nodeValue !== wanted.nodeValue) node.nodeValue = wanted.nodeValue
    return
  }
  for (const { name } of Array.from(node.attributes)) {
    // The reader decides whether a part is unfolded, so `open` is not changed.
    if (!wanted.hasAttribute(name) && name !== 'open') node.removeAttribute(name)
  }
  for (const { name, value } of wanted.attributes) {
    if (name !== 'open' && node.getAttribute(name) !== value) node.setAttribute(name, value)
  }
  morph(node, wanted)
}

/** @param {Node} node */
function keyOf(node) {
  return node instanceof Element ? node.getAttribute('data-key') : null
}
