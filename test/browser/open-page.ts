import type { Browser, Locator, Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import type { Served } from './served.ts'

export interface PageOptions {
  /** In place of the printed one. */
  readonly token?: string
  /** What the browser may say about what it blocked. */
  readonly mayLog?: RegExp
  readonly colorScheme?: 'light' | 'dark'
  readonly viewport?: { readonly width: number; readonly height: number }
}

/** Every test also proves that the page itself logs no error. */
export async function openPage(
  browser: Browser,
  served: Served,
  { token, mayLog, ...look }: PageOptions = {},
): Promise<Page> {
  const context = await browser.newContext(look)
  const page = await context.newPage()
  page.setDefaultTimeout(120_000) // shorter than a test's limit, so that the failure names the step that hangs
  const errors: string[] = []
  page.on('pageerror', error => errors.push(error.message))
  page.on('console', message => {
    // Chromium itself logs a request that failed.
    const isOwn = !/^Failed to load resource:/.test(message.text())
    if (message.type() === 'error' && isOwn && !mayLog?.test(message.text()))
      errors.push(message.text())
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

/** The row of a file in the tree. */
export function fileRow(page: Page, path: string): Locator {
  return page.getByRole('treeitem', { name: path })
}

/** The changes of the draft, on the stage. */
export async function openReview(page: Page): Promise<void> {
  await page.getByRole('tab', { name: /^Changes/ }).click()
}

/** On a narrow screen the places are tabs. */
export async function goToPlace(
  page: Page,
  name: 'Files' | 'Stage' | 'Conversation',
): Promise<void> {
  await page.getByRole('tab', { name, exact: true }).click()
}

/** What becomes of the change that says this. */
export async function settle(
  page: Page,
  verdict: 'Accept' | 'Refuse' | 'Leave',
  hasText: string,
): Promise<void> {
  await page
    .getByRole('article')
    .filter({ hasText })
    .getByRole('button', { name: new RegExp(`^${verdict}`) })
    .click()
}
