/** `share_shipment`: a link by which people without an account see one shipment. */

import { addMs } from '../../domain/values/time.ts'
import { linkTo } from '../../modules/derived-settings.ts'
import { realNow } from '../../modules/service.ts'
import { createShareLink } from '../../modules/share-links/share-links.ts'
import { Type } from '../../platform/json-schema.ts'
import { writeInstant } from '../presenters/local-time.ts'
import { closed, id } from '../tool/inputs.ts'
import { responseContract, writeContract } from '../tool/response-contract.ts'
import { object, text } from '../tool/schema.ts'
import { defineTool, makeResult } from '../tool/tool.ts'

const dayMs = 86_400_000

export const shareShipment = defineTool({
  name: 'share_shipment',
  title: 'Share a shipment',
  about: 'Makes a link to a page of one shipment for people without an account.',
  effect: 'change',
  input: Type.Object(
    {
      id,
      name: Type.String({ minLength: 1, maxLength: 100, description: 'For you: to whom the link is given' }),
      days: Type.Optional(Type.Integer({ minimum: 1, maximum: 365, description: 'How long it works; 30 by default' })),
    },
    closed,
  ),
  ids: { id: 'shipment' },
  output: object({ id: text, url: text, expires_at: text, _response_contract: responseContract }),
  run: async ({ service, context }, { id: shipmentId, name, days = 30 }) => {
    const { link, token } = await createShareLink(service, context, {
      name,
      expiresAt: addMs(realNow(service), days * dayMs),
      shared: { kind: 'shipment', id: shipmentId },
    })
    return makeResult(
      {
        id: link.id,
        url: linkTo(service.config, `/shared/${token}`),
        expires_at: writeInstant(link.expiresAt, null),
        _response_contract: writeContract(),
      },
      { presentation: 'Give the user the link and its end. Everybody who has it sees the shipment; it is shown once.' },
    )
  },
})
