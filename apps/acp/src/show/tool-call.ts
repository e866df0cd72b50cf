import type { ToolCallLocation, ToolKind } from '@agentclientprotocol/sdk'
import { findTool } from '@filewright/tools'
import { type SessionFolder, toAbsolute } from '../editor/folder.ts'

const KIND = { nothing: 'read', draft: 'edit', workspace: 'edit' } as const

export function kindOf(tool: string): ToolKind {
  const declaration = findTool(tool)?.declaration
  if (!declaration) return 'other'
  const { asksPerson, delegates, servesPlanning, writes } = declaration
  return asksPerson || delegates || servesPlanning ? 'think' : KIND[writes]
}

export function parseArguments(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const given: unknown = JSON.parse(text)
    return typeof given === 'object' && given !== null && !Array.isArray(given)
      ? (given as Readonly<Record<string, unknown>>)
      : undefined
  } catch {
    return undefined // a model wrote it
  }
}

const PATHS = ['path', 'docPath', 'from', 'to'] as const
const LINES = ['line_start', 'lineStart'] as const
const LISTS = ['files', 'operations'] as const
const MOST = 20

/** The files that a call names, so that the editor can follow. */
export function locationsOf(folder: SessionFolder, given: unknown): ToolCallLocation[] {
  const found = namedIn(given).map(({ path, line }) => ({
    path: toAbsolute(folder, path),
    ...(line !== undefined && { line }),
  }))
  return [...new Map(found.map(each => [each.path, each])).values()].slice(0, MOST)
}

function namedIn(given: unknown): { readonly path: string; readonly line?: number }[] {
  if (typeof given !== 'object' || given === null) return []
  const fields = given as Readonly<Record<string, unknown>>
  const line = LINES.map(name => fields[name]).find(value => Number.isInteger(value)) as
    | number
    | undefined
  const own = PATHS.map(name => fields[name])
    .filter(value => typeof value === 'string' && value !== '')
    .map(path => ({ path: path as string, ...(line !== undefined && line > 0 && { line }) }))
  const listed = LISTS.map(name => fields[name])
    .filter(value => Array.isArray(value))
    .flatMap(entries => (entries as readonly unknown[]).slice(0, MOST).flatMap(namedIn))
  return [...own, ...listed]
}
