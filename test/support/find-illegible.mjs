// Runs in the browser; see legible.ts.
/** A text that is cut and whole on hover (`title`) is allowed, as is one in a box that scrolls. */
export function findIllegible() {
  const found = []
  const seen = []
  const isFloating = (element) => {
    for (let each = element; each !== null; each = each.parentElement)
      if (/^(fixed|sticky)$/.test(getComputedStyle(each).position)) return true
    return false
  }
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const text = node.textContent.trim()
    const owner = node.parentElement
    if (text === '' || owner.closest('svg, canvas, select, textarea, script, style, noscript, [inert]') !== null)
      continue
    if (!owner.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue
    const range = document.createRange()
    range.selectNodeContents(node)
    for (const rect of range.getClientRects()) {
      // A link for keyboards waits outside of the page.
      if (rect.width < 2 || rect.height < 2 || rect.right < 0 || rect.bottom < 0) continue
      let [isHidden, scrolls, isCut, hasTitle] = [false, false, false, false]
      for (let box = owner; box !== null && box !== document.body; box = box.parentElement) {
        const { overflowX, overflowY } = getComputedStyle(box)
        const bounds = box.getBoundingClientRect()
        if (box.hasAttribute('title')) hasTitle = true
        if (bounds.width <= 2 || bounds.height <= 2) isHidden = true
        if (/auto|scroll/.test(overflowX + overflowY)) scrolls = true
        if (scrolls || !/hidden|clip/.test(overflowX + overflowY)) continue
        const isBeyond = rect.right > bounds.right + 1 || rect.left < bounds.left - 1
        if (isBeyond || rect.bottom > bounds.bottom + 3 || rect.top < bounds.top - 3) isCut = true
      }
      if (isHidden) continue
      if (isCut && !hasTitle) found.push(`cut: ${text.slice(0, 60)}`)
      else if (!scrolls && (rect.right > innerWidth + 1 || rect.left < -1))
        found.push(`beyond the page: ${text.slice(0, 60)}`)
      if (!isCut && !scrolls && !isFloating(owner)) seen.push({ text, owner, rect })
    }
  }
  for (const [index, a] of seen.entries())
    for (const b of seen.slice(index + 1)) {
      if (a.owner === b.owner || a.owner.contains(b.owner) || b.owner.contains(a.owner)) continue
      const across = Math.min(a.rect.right, b.rect.right) - Math.max(a.rect.left, b.rect.left)
      const down = Math.min(a.rect.bottom, b.rect.bottom) - Math.max(a.rect.top, b.rect.top)
      if (across > 2 && down > 4) found.push(`overlaps: ${a.text.slice(0, 40)} / ${b.text.slice(0, 40)}`)
    }
  return [...new Set(found)].slice(0, 20)
}
