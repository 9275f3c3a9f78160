/**
 * A text as a QR code (ISO/IEC 18004) in SVG. It is drawn here, so the page loads no image from another server and
 * nothing that its policy forbids.
 */

import { encode } from 'uqr'
import { type Html, html } from '../../api/http/html.ts'

/** Width of the white border, in modules. Cameras need it to find the code. */
const quietZone = 4
const modulePx = 5

/** `label` is the text for screen readers. */
export function qrCode(content: string, label: string): Html {
  // A screen is never dirty or damaged, so the lowest error correction is enough, and the modules can be large.
  const { size, data } = encode(content, { ecc: 'L', boostEcc: false, border: quietZone })
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  const side = size * modulePx
  return html`<svg class="qr-code" role="img" aria-label="${label}" viewBox="0 0 ${size} ${size}" width="${side}" height="${side}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path fill="#000" d="${dark.join('')}"/></svg>`
}
