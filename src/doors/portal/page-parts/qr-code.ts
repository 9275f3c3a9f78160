/** A text as a QR code (ISO/IEC 18004) in SVG, drawn here: no image from elsewhere, nothing that the page's policy would stop. */

import { encode } from 'uqr'
import { type Html, html } from '../../http/html.ts'

/** Modules of white around it, without which cameras do not find it. */
const quietZone = 4
const modulePx = 5

/** `label` is what those hear who do not see it. */
export function qrCode(content: string, label: string): Html {
  // A screen loses nothing: the least correction, and modules as large as can be.
  const { size, data } = encode(content, { ecc: 'L', boostEcc: false, border: quietZone })
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  const side = size * modulePx
  return html`<svg class="qr-code" role="img" aria-label="${label}" viewBox="0 0 ${size} ${size}" width="${side}" height="${side}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path fill="#000" d="${dark.join('')}"/></svg>`
}
