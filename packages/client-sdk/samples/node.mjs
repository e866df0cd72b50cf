// node node.mjs "http://127.0.0.1:4680/?token=…" "What to do"
// Runs a task, follows it, answers its approvals, and takes back what was written.
import { createClient } from '@filewright/client-sdk'

const [url, task = 'List what we sold last week'] = process.argv.slice(2)
const filewright = createClient({ url })

const { workspaces } = await filewright.listWorkspaces()
const { workspaceId, name } = workspaces[0]
const { files, total } = await filewright.listFiles({ workspaceId, limit: 5 })
console.log(`${name}: ${total} files, such as ${files.map(file => file.path).join(', ')}`)

const { sessionId } = await filewright.createSession({ workspaceId })
const at = { workspaceId, sessionId }
await filewright.sendMessage({ ...at, text: task, toolset: 'workspace', approve: 'ask' })

let shown = '' // of the message under way
for await (const event of filewright.events({ ...at, after: 0 })) {
  if (event.type === 'text-delta') show(shown + event.text)
  if (event.type === 'text-so-far') show(event.text)
  if (event.type === 'run-lost') throw new Error(event.message)
  if (event.type !== 'row') continue
  const { body } = event.row
  if (body.type === 'retry') shown = '' // the message begins again
  if (body.type === 'assistant_message') {
    show(body.text) // whole: it may have been written before this stream was opened
    shown = ''
  }
  if (body.type === 'call-start') console.log(`\n${body.label}`)
  if (body.type === 'approval') await approve(body.approval_id)
  if (body.type === 'run-end' && body.reason !== 'waiting') {
    console.log(`\n${body.reason}: ${body.closing}`)
    break
  }
}

const { changeSets } = await filewright.listChangeSets({ workspaceId })
const own = changeSets.filter(each => each.isStanding && each.sessionId === sessionId)
for (const { changeSetId } of own) {
  const { files: restored } = await filewright.undo({ workspaceId, changeSetId })
  console.log(`Undone: ${restored.map(file => file.path).join(', ')}`)
}

/** Writes what was not written yet. */
function show(text) {
  process.stdout.write(text.slice(shown.length))
  shown = text
}

/** A product shows the changes to a person and asks; this one says yes. */
async function approve(approvalId) {
  const open = await filewright.listApprovals({ workspaceId })
  const { label, changes } = open.find(each => each.id === approvalId)
  console.log(`Approved: ${label} (${changes.length} changes)`)
  await filewright.decide({ workspaceId, approvalId, decision: 'approved', by: 'the sample' })
}
