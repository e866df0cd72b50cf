import { findTool } from '../catalog.ts'
import { sentencesOf } from './describe.ts'

const NAME = /\b[a-z]+(?:_[a-z]+)+\b/g
const REMARK = / \([^()]*\)/g

/**
 * Guidance for a list of tools: a remark in brackets, or else a whole sentence, that sends the model to a tool outside the
 * list is left out.
 */
export function sayOnlyOffered(guidance: string, offered: ReadonlySet<string>): string {
  const keepsToList = (text: string) => toolsIn(text).every(name => offered.has(name))
  return guidance
    .replace(REMARK, remark => (keepsToList(remark) ? remark : ''))
    .split('\n')
    .map(line => sentencesOf(line).filter(keepsToList).join(' '))
    .filter(line => line !== '')
    .join('\n')
}

/** The tools that a text names, those that are not there yet included. */
export function toolsIn(text: string): readonly string[] {
  return (text.match(NAME) ?? []).filter(word => findTool(word) || word.startsWith('workspace_'))
}
