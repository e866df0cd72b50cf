import { expect } from 'vitest'
import { finished, sandbox } from '../cli.ts'
import { fakeModel } from '../fake-model.ts'
import { verifies } from '../verifies.ts'

verifies(
  ['CONTRACT §9 takeover', 'CONTRACT §7 resumes anywhere'],
  'a run whose owner ends continues in the process that asked for it',
  async () => {
    const box = sandbox({ 'notes.txt': 'old\n' })
    const edit = {
      path: 'notes.txt',
      edits: [{ search: 'old', replace: 'new' }],
    }
    const model = await fakeModel([
      { text: 'I change it.', calls: [{ name: 'edit_text_file', arguments: edit }] },
      { text: 'Done.' },
    ])
    const env = { FILEWRIGHT_BASE_URL: model.baseUrl }
    const isOfOwner = () => model.requests.at(-1)!.model === 'owner'
    const [ownerWaits, otherAsks, ownerIsGone] = [gate(), gate(), gate()]
    model.onRequest = async step => {
      if (isOfOwner() && step === 1) {
        ownerWaits.open()
        await otherAsks.opened
      } else if (!isOfOwner() && step === 1 && !ownerIsGone.isOpen()) {
        otherAsks.open()
        await ownerIsGone.opened
      }
      return true
    }
    const owner = finished(box.start(['run', 'Go.', '--model', 'owner'], { env }))
    await ownerWaits.opened
    const args = ['run', 'Go.', '--model', 'other', '--publish', 'auto']
    const other = finished(box.start(args, { env }))
    expect(await owner).toMatchObject({ code: 0 })
    ownerIsGone.open()
    const ran = await other
    expect(ran).toMatchObject({ code: 0 })
    expect(ran.stdout).toContain('Done.\n')
    expect(box.read('notes.txt')).toBe('new\n')
    expect(ran.stderr.match(/notes\.txt/g)).toHaveLength(1)
  },
)

function gate() {
  let open = () => {}
  let isOpen = false
  const opened = new Promise<void>(resolve => (open = resolve))
  return {
    opened,
    isOpen: () => isOpen,
    open() {
      isOpen = true
      open()
    },
  }
}
