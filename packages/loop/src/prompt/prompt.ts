import { type ContextLayer, LIMITS, type ToolOffer } from '@filewright/protocol'
import type {
  HouseRules,
  Manifest,
  PathUsed,
  PromptFile,
  PromptFiles,
  PromptInput,
  SessionFacts,
  Snapshot,
} from '../port/prompt-input.ts'
import { estimateTokens } from '../port/tokens.ts'
import { productText } from './product-text.ts'

export interface Prompt {
  readonly system: string
  /** In order; `tools` is the function list sent with the text. */
  readonly layers: readonly ContextLayer[]
}

export interface ActivePrompt {
  /** Empty when no file is active. */
  readonly text: string
  readonly layers: readonly ContextLayer[]
}

export interface GuidedTool extends ToolOffer {
  readonly guidance: string
}

/** The layer that is sent late, so that a provider's prefix cache holds when a file changes. */
export const ACTIVE_FILES = 'active files'

const HOUSE_RULES_BYTES = 32 * 1024 // real rules are shorter
const PATHS_USED = 100 // the newest; older ones are found by listing

/** From what changes least to what changes most: a provider's cache holds up to the first difference. */
export function composePrompt(
  input: PromptInput,
  tools: readonly GuidedTool[],
  sha256: (text: string) => string,
): Prompt {
  const texts: [name: string, text: string, files?: readonly string[]][] = [
    ['product', productText(input.session)],
    ['guidance', guidanceText(tools)],
    [
      'house rules',
      input.houseRules.map(rulesText).join('\n\n'),
      input.houseRules.map(r => r.path),
    ],
    ['session', sessionText(input.session)],
    ['workspace', snapshotText(input.workspace.name, input.workspace.snapshot, input.manifest)],
    ['manifest', manifestText(input.manifest)],
    ['paths used', pathsText(input.pathsUsed)],
    ['open approvals', listText('Waiting for the person', input.openApprovals)],
  ]
  const present = texts.filter(([, text]) => text !== '')
  const offered = JSON.stringify(
    tools.map(({ name, description, parameters }) => ({ name, description, parameters })),
  )
  return {
    system: present.map(([, text]) => text).join('\n\n'),
    layers: [
      ...present.map(([name, text, files]) => ({
        ...toLayer(name, text, sha256),
        ...(name === 'manifest' && { version: input.manifest.version }),
        ...(files && files.length > 0 && { files }),
      })),
      toLayer('tools', offered, sha256),
    ],
  }
}

/** As much of the active files as fits into a quarter of the context; the rest is named as not sent. */
export function composeActiveFiles(
  active: PromptFiles,
  contextTokens: number,
  sha256: (text: string) => string,
): ActivePrompt {
  if (active.files.length === 0) return { text: '', layers: [] }
  const sent = boundActiveFiles(active.files, contextTokens)
  const text = [
    'Active files, as they are now. They are sent by Filewright, not by the person; do not read them again.',
    ...sent.map(activeFileText),
  ].join('\n\n')
  const files = sent.flatMap(file =>
    file.text === undefined || file.isMap ? [] : `${file.path}@${file.version}`,
  )
  return { text, layers: [{ ...toLayer(ACTIVE_FILES, text, sha256), files }] }
}

export function boundActiveFiles(
  files: readonly PromptFile[],
  contextTokens: number,
): readonly PromptFile[] {
  let bytesLeft: number = LIMITS.activeFilesBytes
  let tokensLeft = contextTokens * LIMITS.activeFilesContextShare
  return files.map(file => {
    if (file.text === undefined) return file
    const bytes = Buffer.byteLength(file.text)
    const tokens = estimateTokens(file.text)
    const { text: _, ...rest } = file
    if (bytes > LIMITS.activeFileBytes) return { ...rest, notSent: 'too large, read it by region' }
    if (bytes > bytesLeft || tokens > tokensLeft)
      return { ...rest, notSent: 'no room next to the other active files, read it by region' }
    bytesLeft -= bytes
    tokensLeft -= tokens
    return file
  })
}

function guidanceText(tools: readonly GuidedTool[]): string {
  return listText(
    'When to use which tool',
    tools.map(tool => `${tool.name}: ${tool.guidance}`),
  )
}

function rulesText(rules: HouseRules): string {
  const cut = Buffer.byteLength(rules.text) > HOUSE_RULES_BYTES
  const text = cut
    ? `${rules.text.slice(0, HOUSE_RULES_BYTES)}\n… (cut; read the file)`
    : rules.text
  return `# House rules from ${rules.path}\n${text.trim()}`
}

function sessionText(session: SessionFacts): string {
  const plan =
    session.mode === 'plan-first'
      ? ' The person asked for a plan first: explore with reads only, answer with a short plan, and end there.'
      : ''
  return `Today is ${session.date}.${plan}`
}

function snapshotText(name: string, snapshot: Snapshot, manifest: Manifest): string {
  const listed = new Set(manifest.files.map(file => file.path))
  const near = snapshot.entries.filter(entry => depthOf(entry) <= LIMITS.snapshotDepth)
  const entries = near.filter(entry => !listed.has(entry)).slice(0, LIMITS.snapshotEntries)
  const total = Math.max(snapshot.total ?? 0, near.length, snapshot.entries.length)
  const more =
    total > near.length || near.length > LIMITS.snapshotEntries ? [`… of ${total} in all`] : []
  return listText(`Workspace "${name}"`, [...entries, ...more])
}

function depthOf(entry: string): number {
  return entry.replace(/\/$/, '').split('/').length
}

function manifestText(manifest: Manifest): string {
  const rows = manifest.files.map(file =>
    [
      file.path,
      file.kind,
      sizeText(file.sizeBytes),
      file.version,
      file.draft && `draft: ${file.draft}`,
    ]
      .filter(Boolean)
      .join(' · '),
  )
  const total = manifest.total ?? rows.length
  const more = total > rows.length ? [`… ${rows.length} of ${total} files; list the others`] : []
  return listText('Files (metadata only; read what you need)', [...rows, ...more])
}

function pathsText(paths: readonly PathUsed[]): string {
  const rows = paths
    .slice(-PATHS_USED)
    .map(({ path, version }) => (version ? `${path} · ${version}` : path))
  return listText('Paths used so far', rows)
}

function activeFileText(file: PromptFile): string {
  const name = `${file.path} · ${file.version}${file.isDirty ? ' · unsaved' : ''}${file.isDrafted ? ' · as the draft has it' : ''}`
  if (file.text === undefined) return `${name}: not sent (${file.notSent ?? 'no text'})`
  const tag = file.isMap ? 'map' : 'file'
  return `<${tag} ${JSON.stringify(name)}>\n${file.text}\n</${tag}>`
}

function listText(title: string, rows: readonly string[]): string {
  return rows.length === 0 ? '' : `# ${title}\n${rows.map(row => `- ${row}`).join('\n')}`
}

function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  return bytes < 1024 ** 2
    ? `${Math.round(bytes / 1024)} KB`
    : `${(bytes / 1024 ** 2).toFixed(1)} MB`
}

function toLayer(name: string, text: string, sha256: (text: string) => string): ContextLayer {
  return { name, sha256: sha256(text), tokens: estimateTokens(text) }
}
