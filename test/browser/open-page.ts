import type { Browser, Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import type { Served } from './served.ts'

/** Every test also proves that the page itself logs no error. */
export async function openPage(browser: Browser, served: Served, token?: string): Promise<Page> {
  const context = await browser.newContext()
  const page = await context.newPage()
  page.setDefaultTimeout(120_000) // shorter than a test's limit, so that the failure names the step that hangs
  const errors: string[] = []
  page.on('pageerror', error => errors.push(error.message))
  page.on('console', message => {
    // Chromium itself logs a request that failed.
    const isOwn = !/^Failed to load resource:/.test(message.text())
    if (message.type() === 'error' && isOwn) errors.push(message.text())
  })
  onTestFinished(async () => {
    await context.close()
    expect(errors).toEqual([])
  })
  const url = new URL(served.url)
  if (token) url.search = `?token=${token}`
  if (token) url.hash = ''
  await page.goto(url.href)
  return page
}
