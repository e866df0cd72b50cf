import type { Browser, FrameLocator, Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import type { Message } from '../frames.ts'

/** A page of a host with our page in a frame that may run scripts and nothing else, as the extension asks. */
export interface Framed {
  readonly page: Page
  readonly frame: FrameLocator
  send(message: Message): Promise<void>
  /** What the frame tried and may not. */
  readonly errors: readonly string[]
}

const POLICY =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; connect-src 'none'"

export async function openFramed(
  browser: Browser,
  html: string,
  onMessage: (message: Message) => void,
): Promise<Framed> {
  const page = await browser.newPage({ viewport: { width: 760, height: 620 } })
  onTestFinished(() => page.close())
  const errors: string[] = []
  page.on('pageerror', error => errors.push(error.message))
  page.on('console', message => {
    if (message.type() === 'error') errors.push(message.text())
  })
  await page.exposeFunction('fromFrame', onMessage)
  await page.setContent('<body style="margin:0"><p>The host</p></body>')
  const guarded = html.replace(
    '<head>',
    `<head><meta http-equiv="Content-Security-Policy" content="${POLICY}">`,
  )
  await page.evaluate(`(${OPEN_FRAME})(${JSON.stringify(guarded)})`)
  return {
    page,
    frame: page.frameLocator('iframe'),
    errors,
    send: message =>
      page.evaluate(
        `document.querySelector('iframe').contentWindow.postMessage(${JSON.stringify(message)}, '*')`,
      ),
  }
}

/** Runs in the page: as text, because these types know no document. */
const OPEN_FRAME = `source => {
  const frame = document.createElement('iframe')
  frame.setAttribute('sandbox', 'allow-scripts')
  frame.style.cssText = 'width:740px;height:560px;border:0'
  frame.srcdoc = source
  window.addEventListener('message', ({ data, source: from }) => {
    if (from === frame.contentWindow) window.fromFrame(data)
  })
  document.body.append(frame)
}`
