import type { Browser, Page } from 'playwright-core'
import { expect } from 'vitest'
import { type FakeModel, type FakeStep, fakeModel } from '../fake-model.ts'
import { openPage } from './open-page.ts'
import { type Served, serveSample } from './served.ts'

/** The page of a server whose model plays these steps. */
export async function askModel(
  browser: Browser,
  steps: readonly FakeStep[],
): Promise<{ page: Page; served: Served; model: FakeModel }> {
  const model = await fakeModel(steps)
  const served = await serveSample({
    FILEWRIGHT_BASE_URL: model.baseUrl,
    FILEWRIGHT_MODEL: 'fake',
  })
  return { page: await openPage(browser, served), served, model }
}

export async function ask(page: Page, text: string, button = 'Ask'): Promise<void> {
  await page.getByRole('textbox', { name: 'What should be done?' }).fill(text)
  const answered = page.waitForResponse(/\/messages$/)
  await page.getByRole('button', { name: button }).click()
  await answered
}

/** The request is there: the model reads what is said from now on only after it has answered. */
export async function hasAsked(model: FakeModel, requests: number): Promise<void> {
  await expect.poll(() => model.requests.length).toBe(requests)
}

/** The button that was used is gone: the focus moves to the field for the next message. */
export async function isFocused(page: Page): Promise<void> {
  await page.locator('textarea:focus').waitFor()
}

export function call(name: string, input: unknown) {
  return { name, arguments: input }
}
