import { decodeText, isBinary } from '@filewright/documents/text'
import { type InstructionFile, parseRelativePath } from '@filewright/protocol'
import type { Gate } from '../gate/gate.ts'
import type { Workspace } from '../workspace/tree/workspace.ts'
import type { FileLister } from './file-lister.ts'

/** Of each line the first that is there: CLAUDE.md says the same to another agent. */
const NAMES = [['AGENTS.md', 'CLAUDE.md'], ['FILEWRIGHT.md']]
const BYTES_SENT = 128 * 1024 // the prompt takes less, and says so
const MOST_FOLDERS = 50

export interface InstructionPorts {
  readonly workspace: Pick<Workspace, 'read'>
  readonly gate: Pick<Gate, 'allowsInstructions'>
  readonly lister: FileLister
}

/**
 * What these folders tell agents, as it is on the disk and never as a draft has it. A link that leads out is not followed, and
 * nothing counts until a person said yes to this content in this place.
 */
export async function readInstructions(
  ports: InstructionPorts,
  folders: readonly string[],
): Promise<InstructionFile[]> {
  const found: InstructionFile[] = []
  for (const folder of folders.slice(0, MOST_FOLDERS))
    for (const names of NAMES) found.push(...(await readFirst(ports, folder, names)))
  return found
}

/** Every folder of the workspace that has such a file, the root first. */
export async function findInstructed({ lister }: InstructionPorts): Promise<readonly string[]> {
  const folders = new Set([''])
  for (const name of NAMES.flat()) {
    const page = await lister.list({ limit: 500, folded: false, named: name })
    const paths = page.ok ? page.value.files.map(({ docPath }) => docPath) : []
    for (const path of paths)
      if (path.endsWith(`/${name.toLowerCase()}`)) folders.add(path.slice(0, -name.length - 1))
  }
  return [...folders].sort().slice(0, MOST_FOLDERS)
}

async function readFirst(
  { workspace, gate }: InstructionPorts,
  folder: string,
  names: readonly string[],
): Promise<InstructionFile[]> {
  for (const name of names) {
    const path = parseRelativePath(folder === '' ? name : `${folder}/${name}`)
    const read = path.ok ? await workspace.read(path.value) : undefined
    if (!read?.ok || isBinary(read.value.bytes)) continue
    const { docPath, bytes, sizeBytes } = read.value
    const sha256 = read.value.sha256!
    const text = decodeText(bytes.subarray(0, BYTES_SENT)).slice().content
    const isAllowed = gate.allowsInstructions(docPath, sha256)
    return [{ path: read.value.path, docPath, sha256, sizeBytes, text, isAllowed }]
  }
  return []
}
