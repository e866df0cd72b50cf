import { createHash } from 'node:crypto'
import type { FakeRequest, FakeStep } from '../fake-model.ts'

/** One session: what its model does, so that an effect that was lost or done twice shows in the file. */
export interface Task {
  readonly name: string
  readonly kind: 'draft' | 'patch'
  readonly path: string
}

export function tasks(count: number): Task[] {
  return Array.from({ length: count }, (_, i) => ({
    name: `task${i}x`,
    kind: i % 2 === 0 ? 'draft' : 'patch',
    path: `task${i}x.txt`,
  }))
}

/** The file after that many steps. */
export function contentAfter(steps: number): string {
  return [...Array.from({ length: steps }, (_, i) => `line ${i}`), 'end', ''].join('\n')
}

/**
 * A model that does one step after the other. Told that it is unknown whether a step took effect, it reads the file first,
 * as the message asks it to.
 */
export function nextStep(task: Task, steps: number, { messages }: FakeRequest): FakeStep {
  let done = 0
  let isUnsure = false
  let isReading = false
  for (const { role, content } of messages) {
    if (role === 'assistant') isReading = JSON.stringify(content ?? '').includes(LOOKING)
    if (role !== 'tool') continue
    const isFailure = /^[A-Z_]+: |^[A-Z][A-Za-z]+: /.test(content)
    const isAbsent = content.startsWith('NOT_FOUND: ') // the step that makes the file had no effect
    if (isReading && (isAbsent || !isFailure)) {
      isUnsure = false
      if (content.includes(`line ${done}`)) done++
    } else if (isFailure) isUnsure = true
    else done++
  }
  if (isUnsure)
    return { text: LOOKING, calls: [{ name: readerOf(task), arguments: { path: task.path } }] }
  if (done >= steps) return { text: 'All done.' }
  return { text: `Step ${done}.`, calls: [callFor(task, done)] }
}

const LOOKING = 'I look whether it took effect.'

function readerOf({ kind }: Task) {
  return kind === 'draft' ? 'read_file' : 'workspace_read_file'
}

function callFor({ kind, path }: Task, step: number) {
  const content = contentAfter(1)
  if (kind === 'draft')
    return step === 0
      ? { name: 'write_text_file', arguments: { path, content } }
      : {
          name: 'edit_text_file',
          arguments: { path, edits: [{ search: 'end', replace: `line ${step}\nend` }] },
        }
  if (step === 0) return { name: 'workspace_create_file', arguments: { path, content } }
  const originalSha256 = createHash('sha256').update(contentAfter(step)).digest('hex')
  const changes = [{ operation: 'insert', afterLine: step, newLines: [`line ${step}`] }]
  return {
    name: 'workspace_write_patch',
    arguments: { files: [{ docPath: path, originalSha256, changes }] },
  }
}

/** The same numbers for the same seed. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
