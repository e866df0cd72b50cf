import { onTestFinished } from 'vitest'
import { type Sandbox, sandbox } from '../cli.ts'
import { type FakeStep, fakeModel } from '../fake-model.ts'
import { PAGE_ADDRESS, untilSays } from '../until-says.ts'

/** Creates a file, which a person is asked about, and says so. */
export const STEPS: readonly FakeStep[] = [
  {
    text: 'I write it.',
    calls: [{ name: 'workspace_create_file', arguments: { path: 'b.txt', content: 'b\n' } }],
  },
  { text: 'It is written.' },
]

export interface ServedSteps {
  readonly box: Sandbox
  /** As `filewright serve` prints it. */
  readonly address: string
}

/** `filewright serve` on a folder, with a model that plays the steps. */
export async function serveSteps(...args: readonly string[]): Promise<ServedSteps> {
  const box = sandbox({ 'a.txt': 'a\n' })
  const model = await fakeModel(STEPS)
  const env = {
    FILEWRIGHT_BASE_URL: model.baseUrl,
    FILEWRIGHT_API_KEY: 'k',
    FILEWRIGHT_MODEL: 'fake',
  }
  const child = box.start(['serve', '--port', '0', ...args], { env })
  onTestFinished(() => void child.kill())
  return { box, address: await untilSays(child, PAGE_ADDRESS) }
}
