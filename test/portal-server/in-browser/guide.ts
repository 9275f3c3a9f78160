/** The guide: every page of docs/ can be read and found at the installation, in any browser. */

import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { movedPages } from '../../../src/portal-server/guide/moved-pages.ts'
import { assertAccessible, assertContrast } from '../../support/app-page.ts'
import type { World } from './world.ts'

const folder = fileURLToPath(new URL('../../../docs/', import.meta.url))

export function testGuide({ api, openPage, url }: World): void {
  const read = async (path: string) => {
    const answer = await api.app.inject({ url: path, headers: { accept: 'text/html' } })
    return { status: answer.statusCode, text: answer.body, type: String(answer.headers['content-type']) }
  }

  test('every page of docs/ is there, and every link within the guide leads to a page and its heading', async () => {
    const names = ['', 'decisions/'].flatMap((below) =>
      readdirSync(folder + below)
        .filter((file) => file.endsWith('.md') && below + file !== 'README.md')
        .map((file) => below + file.slice(0, -3)),
    )
    const index = (await read('/docs/guide')).text
    const pages = new Map<string, string>()
    for (const name of names) {
      assert.ok(index.includes(`"/docs/guide/${name}"`), `the list lacks ${name}`)
      const { status, text } = await read(`/docs/guide/${name}`)
      assert.equal(status, 200, name)
      pages.set(name, text)
    }
    for (const [name, text] of pages)
      for (const [, to = '', anchor] of text.matchAll(/href="\/docs\/guide\/([\w/-]+)(?:#([^"]*))?"/g)) {
        const other = pages.get(to)
        assert.ok(other !== undefined, `${name} leads to ${to}`)
        if (anchor !== undefined) assert.ok(other.includes(`id="${anchor}"`), `${name} leads to ${to}#${anchor}`)
      }
    assert.match(pages.get('portal') ?? '', /<img src="\/docs\/guide\/pictures\/[\w-]+\.png"/)
    assert.equal((await read('/docs/guide/pictures/overview.png')).type, 'image/png')
  })

  test('a search finds sections by their text, with matches in headings first', async () => {
    const found = (await read('/docs/guide?q=signature+retry')).text
    assert.match(found, /href="\/docs\/guide\/webhooks/)
    const head = (await read('/docs/guide?q=as_of')).text.match(/<ul class="guide-list"><li><a href="([^"]*)"/)?.[1]
    assert.match(head ?? '', /^\/docs\/guide\/provenance/)
    assert.match((await read('/docs/guide?q=xyzzyplugh')).text, /Nothing found/)
    assert.doesNotMatch((await read('/docs/guide?q=%3Cscript%3E')).text, /<script/)
  })

  test('the address of a page that became part of another leads there', async () => {
    for (const [moved, to] of movedPages) {
      const [name = '', anchor] = to.split('#')
      assert.ok(!existsSync(`${folder}${moved}.md`), `${moved} is a page`)
      const { statusCode, headers } = await api.app.inject({ url: `/docs/guide/${moved}` })
      assert.deepEqual([statusCode, headers.location], [308, `/docs/guide/${to}`], moved)
      const { status, text } = await read(`/docs/guide/${name}`)
      assert.equal(status, 200, to)
      if (anchor !== undefined) assert.ok(text.includes(`id="${anchor}"`), to)
    }
  })

  test('an unknown page shows that it does not exist, and no name leads out of the folder', async () => {
    for (const path of [
      '/docs/guide/nothing',
      '/docs/guide/constructor',
      '/docs/guide/..%2F..%2Fpackage',
      '/docs/guide/pictures/..%2Fcli.md',
    ])
      assert.equal((await read(path)).status, 404, path)
  })

  test('index, page, search and reference have no fault in a browser, in both themes and on a phone', async () => {
    const { page, faults, close } = await openPage()
    await page.setViewportSize({ width: 390, height: 800 })
    for (const path of ['/docs/guide', '/docs/guide/webhooks', '/docs/guide?q=webhook', '/docs', '/docs/webhooks']) {
      await page.emulateMedia({ colorScheme: 'light' })
      await page.goto(url + path)
      await assertAccessible(page, `${path}, light`)
      const width = await page.evaluate('document.documentElement.scrollWidth')
      assert.ok(Number(width) <= 390, `${path} is ${String(width)} wide`)
      await page.emulateMedia({ colorScheme: 'dark' })
      await assertContrast(page, `${path}, dark`)
    }
    assert.deepEqual(faults, [])
    await close()
  })
}
