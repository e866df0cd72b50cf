import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { root } from '../commands/checkout.ts'

const AXE = readFileSync(join(root, 'node_modules/axe-core/axe.min.js'), 'utf8')

interface Violation {
  readonly id: string
  readonly impact: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[]
}

/** WCAG 2.1 AA as far as a program can tell, and what the issue of the page asks of every screen. */
export async function check(page: Page, screen: string): Promise<void> {
  // the policy of the page allows no script of ours: it is given by the debugger
  const session = await page.context().newCDPSession(page)
  await session.send('Runtime.evaluate', { expression: AXE })
  const answer = await session.send('Runtime.evaluate', {
    expression: `axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'] })
      .then(({ violations }) => JSON.stringify(violations))`,
    awaitPromise: true,
    returnByValue: true,
  })
  await session.detach()
  const violations = JSON.parse(String(answer.result.value)) as Violation[]
  const serious = violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => ({
      id,
      at: nodes.map(({ html, failureSummary }) => `${html.slice(0, 200)} ${failureSummary}`),
    }))
  expect({ screen, serious }).toEqual({ screen, serious: [] })
  const primary = await page.locator('button.bg-accent:visible').count()
  expect({ screen, primary: Math.max(primary, 2) }).toEqual({ screen, primary: 2 })
}
