import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { buildZip } from '../../packages/documents/src/opc/zip.contract.ts'
import { ask, askModel } from './asking.ts'
import { launchBrowser } from './browser.ts'
import { fileRow, openPage, openReview } from './open-page.ts'
import { serveSample } from './served.ts'

let browser: Browser

beforeAll(async () => {
  browser = await launchBrowser()
})

afterAll(() => browser?.close())

/** A server that hears whoever calls out. */
async function listener(page = '') {
  const heard: string[] = []
  const server = createServer((request, response) => {
    heard.push(request.url ?? '')
    response.writeHead(200, { 'content-type': 'text/html' }).end(page)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, heard }
}

const TYPES = `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/><Override PartName="/word/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.styles+xml"/></Types>`
const RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

function hostileDocument(url: string): Uint8Array {
  const text = (words: string) => `<w:p><w:r><w:t>${words}</w:t></w:r></w:p>`
  const picture = `<w:p><w:r><w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"><wp:extent cx="990000" cy="792000"/><a:graphic xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:blipFill><a:blip r:link="rId2"/></pic:blipFill><pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="990000" cy="792000"/></a:xfrm></pic:spPr></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`
  const link = `<w:p><w:hyperlink r:id="rId3"><w:r><w:t>click me</w:t></w:r></w:hyperlink></w:p>`
  const body = `${text('Shown words')}${text('&lt;img src=x onerror=&quot;fetch(1)&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;')}${picture}${link}<w:altChunk r:id="rId4"/>`
  return buildZip([
    { name: '[Content_Types].xml', data: TYPES },
    {
      name: '_rels/.rels',
      data: `<Relationships xmlns="${RELATIONS}"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="word/document.xml"/></Relationships>`,
    },
    {
      name: 'word/document.xml',
      data: `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="${OFFICE}"><w:body>${body}</w:body></w:document>`,
    },
    {
      name: 'word/styles.xml',
      data: `<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:style w:type="paragraph" w:styleId="Normal"><w:name w:val="Normal"/><w:rPr><w:rFonts w:ascii="x;background:url(${url}/font)"/></w:rPr></w:style></w:styles>`,
    },
    {
      name: 'word/chunk.html',
      data: `<img src="${url}/chunk"><script>fetch("${url}/chunk-script")</script>`,
    },
    {
      name: 'word/_rels/document.xml.rels',
      data: `<Relationships xmlns="${RELATIONS}"><Relationship Id="rId1" Type="${OFFICE}/styles" Target="styles.xml"/><Relationship Id="rId2" Type="${OFFICE}/image" Target="${url}/picture.png" TargetMode="External"/><Relationship Id="rId3" Type="${OFFICE}/hyperlink" Target="javascript:parent.postMessage(1,'*')" TargetMode="External"/><Relationship Id="rId4" Type="${OFFICE}/aFChunk" Target="chunk.html"/></Relationships>`,
    },
  ])
}

/** Its colours, texts, formulas and links try to leave their cells. */
function hostileBook(url: string): Uint8Array {
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
  const out = `red;background:url(${url}/fill)`
  const text = (at: string, words: string, style = 0) =>
    `<c r="${at}" s="${style}" t="inlineStr"><is><t>${words}</t></is></c>`
  return buildZip([
    {
      name: '[Content_Types].xml',
      data: `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${type}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${type}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${type}.styles+xml"/></Types>`,
    },
    {
      name: '_rels/.rels',
      data: `<Relationships xmlns="${RELATIONS}"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    },
    {
      name: 'xl/workbook.xml',
      data: `<workbook xmlns="${main}" xmlns:r="${OFFICE}"><sheets><sheet name="&lt;img src=x onerror=alert(1)&gt;" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      data: `<Relationships xmlns="${RELATIONS}"><Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
    },
    {
      name: 'xl/styles.xml',
      data: `<styleSheet xmlns="${main}"><fonts count="2"><font/><font><color rgb="url(${url}/font)"/><name val="x;background:url(${url}/name)"/></font></fonts><fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill><fill><patternFill patternType="solid"><fgColor rgb="${out}"/></patternFill></fill></fills><borders count="1"><border/></borders><cellXfs count="3"><xf fontId="0" fillId="0"/><xf fontId="1" fillId="0" applyFont="1"/><xf fontId="0" fillId="2" applyFill="1"/></cellXfs></styleSheet>`,
    },
    {
      name: 'xl/worksheets/sheet1.xml',
      data: `<worksheet xmlns="${main}" xmlns:r="${OFFICE}"><sheetData><row r="1">${text('A1', 'Shown cell')}${text('B1', `&lt;img src="${url}/cell" onerror="alert(1)"&gt;`, 1)}${text('C1', 'filled', 2)}<c r="D1"><f>WEBSERVICE("${url}/formula")</f><v>1</v></c><c r="E1"><f>HYPERLINK("javascript:alert(1)","go")</f><v>0</v></c></row></sheetData><hyperlinks><hyperlink ref="A1" r:id="rId1"/></hyperlinks></worksheet>`,
    },
    {
      name: 'xl/worksheets/_rels/sheet1.xml.rels',
      data: `<Relationships xmlns="${RELATIONS}"><Relationship Id="rId1" Type="${OFFICE}/hyperlink" Target="javascript:alert(1)" TargetMode="External"/></Relationships>`,
    },
  ])
}

const HOSTILE = (url: string) => `# Plain words

<script>fetch("${url}/script")</script>
<img src="${url}/img" onerror="fetch('${url}/onerror')">

![a picture](${url}/markdown.png) [run](javascript:fetch('${url}/link')) <iframe src="${url}/frame"></iframe>

[out](${url}/followed "title")

<style>body { background: url(${url}/style) }</style>
`

const SVG = (url: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="40" height="40" onload="fetch('${url}/onload')"><script>fetch("${url}/svg-script")</script><image xlink:href="${url}/svg-image" width="9" height="9"/><style>@import url(${url}/svg-style);</style><rect width="40" height="40" fill="green"/></svg>`

test('hostile Markdown, svg, csv and documents run nothing and call nobody', async () => {
  const { url, heard } = await listener()
  const served = await serveSample()
  const put = (name: string, content: string | Uint8Array) =>
    writeFileSync(join(served.folder, name), content)
  put('hostile.md', HOSTILE(url))
  put('hostile.svg', SVG(url))
  put('hostile.csv', `a,=HYPERLINK("${url}/csv")\n<img src=${url}/cell onerror=alert(1)>,2\n`)
  put('hostile.docx', hostileDocument(url))
  const page = await openPage(browser, served, { mayLog: /Content Security Policy/ })
  page.on('dialog', dialog => expect.fail(dialog.message()))
  await fileRow(page, 'hostile.md').click()
  await page.getByRole('heading', { name: 'Plain words' }).waitFor()
  await page.getByText('[picture: a picture]').waitFor()
  expect(await page.getByRole('link', { name: 'run' }).count()).toBe(0)
  await page.getByRole('link', { name: 'out' }).waitFor() // a person may follow it
  await fileRow(page, 'hostile.svg').click()
  await page.getByText('40 × 40 pixels').waitFor()
  await fileRow(page, 'hostile.csv').click()
  await page.getByRole('grid').getByText('onerror=alert').waitFor()
  await fileRow(page, 'hostile.docx').click()
  const frame = page.frameLocator('iframe')
  await frame.getByText('Shown words').waitFor()
  await page.getByText('Its own program may lay it out on more').waitFor()
  const inside = page.frames().find(each => each.url().endsWith('/frame.html'))!
  const tried = await inside.evaluate(`(async () => {
    const attempt = async act => { try { return (await act()) ?? 'done' } catch { return 'refused' } }
    const load = (name, url) => new Promise(resolve => {
      const element = document.createElement(name)
      element.onload = () => resolve('loaded')
      element.onerror = () => resolve('refused')
      element[name === 'link' ? 'href' : 'src'] = url
      if (name === 'link') element.rel = 'stylesheet'
      document.body.append(element)
    })
    const url = ${JSON.stringify(url)}
    return {
      fetch: await attempt(() => fetch(url + '/fetch', { mode: 'no-cors' })),
      picture: await load('img', url + '/frame-picture'),
      script: await load('script', url + '/frame-script'),
      style: await load('link', url + '/frame-style'),
      storage: await attempt(() => localStorage.length),
      page: await attempt(() => parent.document.title),
    }
  })()`)
  expect(new Set(Object.values(tried as object))).toEqual(new Set(['refused']))
  expect(heard).toEqual([])
})

test('a hostile workbook is drawn as text: its colours, formulas and links load nothing', async () => {
  const { url, heard } = await listener()
  const served = await serveSample()
  writeFileSync(join(served.folder, 'hostile.xlsx'), hostileBook(url))
  const page = await openPage(browser, served)
  page.on('dialog', dialog => expect.fail(dialog.message()))
  await fileRow(page, 'hostile.xlsx').click()
  const grid = page.getByRole('grid')
  await grid.getByText('Shown cell').click()
  await grid.getByText('onerror="alert(1)"').waitFor()
  await page.getByRole('tab', { name: '<img src=x' }).click()
  await grid.getByText('filled').click()
  const looks = await page.evaluate(
    "[...document.querySelectorAll('[role=grid] [style]')].map(each => each.getAttribute('style')).join()",
  )
  expect(looks).toContain('width')
  expect(looks).not.toContain('url')
  expect(await grid.locator('a, img, script').count()).toBe(0)
  // and in a review, where the cells are drawn with what a draft changes
  const cells = [{ cell: 'C2', value: 1 }]
  const operations = [{ op: 'set_cells', sheet: '<img src=x onerror=alert(1)>', cells }]
  const edited = await served.call('xlsx_operations', { path: 'hostile.xlsx', operations })
  expect(edited).toMatchObject({ message: expect.any(String), success: true })
  await openReview(page)
  await page.getByRole('grid').getByText('Shown cell').waitFor()
  expect(heard).toEqual([])
})

test('what a model writes runs nothing and calls nobody', async () => {
  const { url, heard } = await listener()
  const { page } = await askModel(browser, [{ text: HOSTILE(url) }])
  page.on('dialog', dialog => expect.fail(dialog.message()))
  await ask(page, 'Hello')
  const log = page.getByRole('log')
  await log.getByText('[picture: a picture]').waitFor()
  await log.getByText('No file was changed').waitFor()
  expect(await log.locator('img, script, iframe, style').count()).toBe(0)
  expect(heard).toEqual([])
})

test('bytes of a file are an attachment that runs nothing, and the frame reaches nothing', async () => {
  const served = await serveSample()
  const token = served.url.searchParams.get('token')
  const headers = { authorization: `Bearer ${token}` }
  const get = (path: string) => fetch(new URL(path, served.url), { headers })
  const { workspaces } = (await (await get('/api/workspaces')).json()) as {
    workspaces: { workspaceId: string }[]
  }
  const content = await get(`/api/workspaces/${workspaces[0]!.workspaceId}/content?path=README.md`)
  expect(content.headers.get('content-disposition')).toBe('attachment')
  expect(content.headers.get('x-content-type-options')).toBe('nosniff')
  expect(content.headers.get('content-security-policy')).toContain('sandbox')
  const policy = (await get('/frame.html')).headers.get('content-security-policy')
  expect(policy).toMatch(/^sandbox allow-scripts; default-src 'none'/)
  expect(policy).not.toContain('connect-src')
})

test('a page on another port of this machine gets nothing, whatever it tries', async () => {
  const served = await serveSample()
  const page = await openPage(browser, served)
  await fileRow(page, 'README.md').waitFor()
  const other = await listener('<!doctype html><title>other</title>')
  const stranger = await page.context().newPage() // the same browser, where the real page is open
  await stranger.goto(other.url)
  const token = served.url.searchParams.get('token')
  const tried = await stranger.evaluate(`(async () => {
    const base = ${JSON.stringify(new URL('/', served.url).href)}
    const token = ${JSON.stringify(token)}
    const attempt = async act => { try { return await act() } catch (error) { return 'refused' } }
    const asked = new BroadcastChannel('filewright')
    const told = await new Promise(resolve => {
      asked.onmessage = () => resolve('told')
      asked.postMessage({ asks: true })
      setTimeout(() => resolve('refused'), 1500)
    })
    const read = init => attempt(async () => (await fetch(base + 'api/workspaces', init)).status)
    const opaque = await attempt(async () => (await fetch(base + 'api/folders', { method: 'POST', mode: 'no-cors', body: '{}' })).type)
    const events = await new Promise(resolve => {
      const source = new EventSource(base + 'api/workspaces?token=' + token)
      source.onmessage = () => resolve('heard')
      source.onerror = () => resolve('refused')
    })
    const frame = document.createElement('iframe')
    frame.src = base
    document.body.append(frame)
    await new Promise(resolve => { frame.onload = resolve })
    const framed = await attempt(() => frame.contentWindow.document.body.textContent)
    return {
      told, opaque, events, framed,
      plain: await read({}),
      withCookies: await read({ credentials: 'include' }),
      withToken: await read({ headers: { authorization: 'Bearer ' + token } }),
    }
  })()`)
  expect(tried).toEqual({
    told: 'refused',
    plain: 'refused',
    withCookies: 'refused',
    withToken: 'refused', // it may know the token, and is still not this page
    opaque: 'opaque', // sent, and answered with 403 below
    events: 'refused',
    framed: 'refused',
  })
  const asOther = await fetch(new URL('/api/folders', served.url), {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, origin: other.url },
    body: '{}',
  })
  expect(asOther.status).toBe(403)
})
