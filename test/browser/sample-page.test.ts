import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { serveSteps } from '../client-sdk/served-steps.ts'
import { root } from '../commands/checkout.ts'
import { launchBrowser } from './browser.ts'

let browser: Browser

beforeAll(async () => {
  browser = await launchBrowser()
})

afterAll(() => browser?.close())

test('the browser sample runs on a page of another origin, if that origin is named and not otherwise', async () => {
  const origin = await serveFile('packages/client-sdk/samples/browser.html')
  const page = await browser.newPage()
  page.on('dialog', dialog => void dialog.accept())
  const run = async (address: string, says: RegExp) => {
    await page.goto(origin)
    await page.getByLabel('Address').fill(address)
    await page.getByLabel('Task').fill('Write b.txt')
    await page.getByRole('button').click()
    await expect.poll(() => page.locator('pre').textContent()).toMatch(says)
  }
  const closed = await serveSteps()
  await run(closed.address, /Failed to fetch/)
  const open = await serveSteps('--allow-origin', origin)
  await run(open.address, /I write it\.[\s\S]*It is written\.[\s\S]*final: 1 file written: b\.txt/)
  expect(open.box.read('b.txt')).toBe('b\n')
})

async function serveFile(path: string): Promise<string> {
  const text = readFileSync(join(root, path))
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(text)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
