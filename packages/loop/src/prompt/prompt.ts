import { type ContextLayer, LIMITS, type ToolOffer } from '@filewright/protocol'
import type { PromptFile, PromptFiles, SessionFacts } from '../port/prompt-input.ts'
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

/** Only what stays the same for a whole conversation, so that a provider's cache holds from its first request to its last. */
export function composePrompt(
  session: SessionFacts,
  tools: readonly GuidedTool[],
  sha256: (text: string) => string,
): Prompt {
  const texts: [name: string, text: string][] = [
    ['product', productText(session)],
    ['guidance', guidanceText(tools)],
  ]
  const present = texts.filter(([, text]) => text !== '')
  const offered = JSON.stringify(
    tools.map(({ name, description, parameters }) => ({ name, description, parameters })),
  )
  return {
    system: present.map(([, text]) => text).join('\n\n'),
    layers: [
      ...present.map(([name, text]) => toLayer(name, text, sha256)),
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
  const rows = tools.map(tool => `- ${tool.name}: ${tool.guidance}`)
  return rows.length === 0 ? '' : `# When to use which tool\n${rows.join('\n')}`
}

function activeFileText(file: PromptFile): string {
  const name = `${file.path} · ${file.version}${file.isDirty ? ' · unsaved' : ''}${file.isDrafted ? ' · as the draft has it' : ''}`
  if (file.text === undefined) return `${name}: not sent (${file.notSent ?? 'no text'})`
  const tag = file.isMap ? 'map' : 'file'
  return `<${tag} ${JSON.stringify(name)}>\n${file.text}\n</${tag}>`
}

export function toLayer(
  name: string,
  text: string,
  sha256: (text: string) => string,
): ContextLayer {
  return { name, sha256: sha256(text), tokens: estimateTokens(text) }
}
