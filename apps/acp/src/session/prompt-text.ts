import type { ContentBlock } from '@agentclientprotocol/sdk'
import { pathOf, type SessionFolder, toRelative } from '../editor/folder.ts'

/** A file that the person's message names. */
export interface NamedFile {
  readonly path: string
  /** As the editor has it; absent where it only named the file. */
  readonly text?: string
}

/** A picture in the message, as the editor sends it. */
export interface GivenPicture {
  readonly mediaType: string
  readonly base64: string
}

export interface PromptText {
  readonly text: string
  readonly files: readonly NamedFile[]
  readonly pictures: readonly GivenPicture[]
}

/** The words of a message, with the files of the folder and the pictures in it; anything else goes along as text. */
export function readPrompt(folder: SessionFolder, blocks: readonly ContentBlock[]): PromptText {
  const files: NamedFile[] = []
  const pictures: GivenPicture[] = []
  const shown = (mediaType: string, base64: string) =>
    `[picture ${pictures.push({ mediaType, base64 })}]`
  const parts = blocks.map(block => {
    if (block.type === 'text') return block.text
    if (block.type === 'image') return shown(block.mimeType, block.data)
    if (block.type === 'resource_link') {
      const path = ownPath(folder, block.uri)
      if (path === undefined) return block.uri
      files.push({ path })
      return mention(path)
    }
    if (block.type === 'resource') {
      const { resource } = block
      const path = ownPath(folder, resource.uri)
      const text = 'text' in resource ? resource.text : undefined
      if (path === undefined && 'blob' in resource && resource.mimeType?.startsWith('image/'))
        return shown(resource.mimeType, resource.blob)
      if (path === undefined) return text === undefined ? resource.uri : quoted(resource.uri, text)
      files.push({ path, text })
      return mention(path)
    }
    return `(${block.type} that was not sent)`
  })
  return { text: parts.join(''), files: latest(files), pictures }
}

function ownPath(folder: SessionFolder, uri: string): string | undefined {
  const path = pathOf(uri)
  return path && toRelative(folder, path)
}

/** The server reads a mention the same way, so a name with a space needs its quotes. */
function mention(path: string): string {
  return /\s/.test(path) ? `@"${path}"` : `@${path}`
}

function quoted(uri: string, text: string): string {
  return `\n<resource from=${JSON.stringify(uri)}>\n${text}\n</resource>\n`
}

function latest(files: readonly NamedFile[]): readonly NamedFile[] {
  return [...new Map(files.map(file => [file.path, file])).values()]
}
