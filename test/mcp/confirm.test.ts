import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openTestApi, type TestApi } from '../support/api.ts'
import { openCarrier } from '../support/carrier.ts'
import { connect, eras, openTestMcp, type TestMcp } from '../support/mcp.ts'
import { giveAccess } from '../support/service.ts'

let api: TestApi
let mcp: TestMcp
const authorization = () => ({ authorization: `Token ${api.key}` })

before(async () => {
  // With these settings no prediction is certain, and every number has candidates.
  api = await openTestApi({
    env: { LANDFALL_INFERENCE_AUTO_SELECT: '1', LANDFALL_INFERENCE_NEEDS_CONFIRMATION: '0' },
  })
  mcp = await openTestMcp(api)
  const carrier = await openCarrier()
  await giveAccess(api, { scac: 'HLCU', profile: carrier.profile('HLCU') })
  await carrier.close()
})
after(async () => {
  await mcp.close()
  await api.close()
})

interface Tracked {
  readonly tracking_request_created: boolean
  readonly needs_confirmation?: boolean
  readonly message?: string
  readonly tracking_request?: { readonly scac: string }
  readonly infer_result?: {
    readonly shipping_line: { readonly candidates: readonly { readonly scac: string }[] }
  }
}

for (const [index, era] of eras.entries()) {
  const number = `HLXU8000${index}99`
  describe(`an uncertain shipping line, with protocol ${era},`, () => {
    test('is chosen by the user in a question, and the number is tracked', async () => {
      const asked: string[] = []
      const client = await connect(mcp.url, {
        ...authorization(),
        era,
        answers: (message) => {
          asked.push(message)
          return 'HLCU'
        },
      })
      const { structuredContent, isError, content } = await client.callTool({
        name: 'track_container',
        arguments: { number, numberType: 'bill_of_lading' },
      })
      assert.notEqual(isError, true, JSON.stringify(content))
      const tracked = structuredContent as unknown as Tracked
      assert.equal(asked.length, 1)
      assert.match(asked[0] ?? '', new RegExp(number))
      assert.equal(tracked.tracking_request_created, true)
      assert.equal(tracked.tracking_request?.scac, 'HLCU')
      await client.close()
    })

    test('is returned as a list of candidates if the user does not choose a line', async () => {
      const other = `HLXU81000${index}`
      for (const answers of [() => null, () => 'XXXX', undefined]) {
        const client = await connect(mcp.url, {
          ...authorization(),
          era,
          ...(answers === undefined ? {} : { answers }),
        })
        const { structuredContent } = await client.callTool({
          name: 'track_container',
          arguments: { number: other, numberType: 'bill_of_lading' },
        })
        const tracked = structuredContent as unknown as Tracked
        assert.deepEqual([tracked.tracking_request_created, tracked.needs_confirmation], [false, true])
        await client.close()
      }
      const requests = await api.call({ url: `/v2/tracking_requests?filter[request_number]=${other}` })
      assert.equal(requests.many().length, 0, 'nothing was made')
    })

    test('may be another one, or unknown to the user; nothing is tracked then', async () => {
      for (const [answer, sentence] of [
        ['another', /another line: ask the user which/],
        ['unknown', /does not know the line/],
      ] as const) {
        const client = await connect(mcp.url, { ...authorization(), era, answers: () => answer })
        const { structuredContent } = await client.callTool({
          name: 'track_container',
          arguments: { number: `HLXU82000${index}`, numberType: 'bill_of_lading' },
        })
        const { tracking_request_created, message } = structuredContent as unknown as Tracked
        assert.equal(tracking_request_created, false)
        assert.match(message ?? '', sentence)
        await client.close()
      }
    })
  })
}

test('a house bill is named as one, and no line is proposed for it', async () => {
  const asked: string[] = []
  const answers = (message: string) => {
    asked.push(message)
    return null
  }
  const client = await connect(mcp.url, { ...authorization(), answers })
  const { structuredContent } = await client.callTool({
    name: 'track_container',
    arguments: { number: 'HBL ABCD1234567' },
  })
  const { message, infer_result, tracking_request_created } = structuredContent as unknown as Tracked
  assert.equal(tracking_request_created, false)
  assert.match(message ?? '', /house bill.*master bill of lading\..*another number of the shipment/)
  assert.deepEqual([infer_result?.shipping_line.candidates, asked], [[], []])
  await client.close()
})

describe('the session id of a client', () => {
  const send = (headers: Readonly<Record<string, string>>, body: object, key = api.key) =>
    fetch(mcp.url, {
      method: 'POST',
      headers: {
        authorization: `Token ${key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...body }),
    })
  const initialize = (capabilities: object) => ({
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities, clientInfo: { name: 'x', version: '1' } },
  })
  const track = {
    method: 'tools/call',
    params: { name: 'track_container', arguments: { number: 'HLXU8200001', numberType: 'bill_of_lading' } },
  }
  const isAsked = (text: string) => text.includes('elicitation/create')

  test('is issued only to a client that states capabilities', async () => {
    assert.equal((await send({}, initialize({}))).headers.get('mcp-session-id'), null)
    assert.match((await send({}, initialize({ elicitation: {} }))).headers.get('mcp-session-id') ?? '', /^[\w.-]+$/)
  })

  test('is ignored if it was changed or belongs to another account', async () => {
    const token = (await send({}, initialize({ elicitation: {} }))).headers.get('mcp-session-id') ?? ''
    const other = await api.newKey(await api.newAccount(), ['read', 'write'])
    const changed = `${token.slice(0, 4)}${token[4] === 'A' ? 'B' : 'A'}${token.slice(5)}`
    for (const [given, key] of [
      [changed, api.key],
      [token, other],
      ['x', api.key],
    ] as const) {
      const text = await (await send({ 'mcp-session-id': given }, track, key)).text()
      assert.ok(!isAsked(text) && text.includes('needs_confirmation'), text)
    }
  })

  test('does not let another account answer a question that was sent to this client', async () => {
    const token = (await send({}, initialize({ elicitation: {} }))).headers.get('mcp-session-id') ?? ''
    const asking = await send({ 'mcp-session-id': token }, track)
    const reader = asking.body?.getReader()
    let text = ''
    while (!text.includes('"id"')) text += new TextDecoder().decode((await reader?.read())?.value)
    const { id } = JSON.parse(/data: (.*)/.exec(text)?.[1] ?? '{}') as { id: string }
    const answer = { id, result: { action: 'accept', content: { choice: 'HLCU' } } }
    const other = await api.newKey(await api.newAccount(), ['read', 'write'])
    assert.equal((await send({}, answer, other)).status, 202)
    assert.equal((await send({}, { ...answer, result: { action: 'decline' } })).status, 202)
    let rest = ''
    for (let part = await reader?.read(); part !== undefined && !part.done; part = await reader?.read())
      rest += new TextDecoder().decode(part.value)
    assert.match(rest, /needs_confirmation/)
  })
})
