import { encodeText } from '../../../opc/index.ts'
import type { CellContent, TextRun } from '../cell/cells.ts'
import { encodeEscapes } from '../cell/strings.ts'
import type { CellEdit } from './sheet.ts'

/**
 * An edited cell as XML. Text is written inline: the shared strings, which all other sheets use, stay untouched, and
 * Excel moves the text there when it saves. A formula has a value where one was computed.
 */
export function cellXml(prefix: string, name: string, edit: CellEdit): string {
  const style = edit.style > 0 ? ` s="${edit.style}"` : ''
  const { content, formula } = edit
  const open = `<${prefix}c r="${name}"${style}`
  if (formula) {
    const isArray = formula.kind === 'array' && formula.ref !== undefined
    const tag = isArray ? `<${prefix}f t="array" ref="${formula.ref}">` : `<${prefix}f>`
    const mark = isArray && formula.metadata !== undefined ? ` cm="${formula.metadata}"` : ''
    const result = content ? resultXml(prefix, content) : NO_RESULT
    return `${open}${result.type}${mark}>${tag}${encodeText(formula.text)}</${prefix}f>${result.value}</${prefix}c>`
  }
  if (!content || content.type === 'empty') return `${open}/>`
  return `${open}${typeAttribute(content)}>${valueXml(prefix, content)}</${prefix}c>`
}

const NO_RESULT = { type: '', value: '' }

/** A formula's result: the attribute of its cell, and the element after the formula. */
export function resultXml(
  prefix: string,
  content: CellContent,
): { readonly type: string; readonly value: string } {
  if (content.type === 'empty') return NO_RESULT
  if (content.type !== 'text')
    return { type: typeAttribute(content), value: valueXml(prefix, content) }
  const value = `<${prefix}v>${encodeText(encodeEscapes(content.value))}</${prefix}v>`
  return { type: ' t="str"', value }
}

function typeAttribute(content: CellContent): string {
  if (content.type === 'text') return ' t="inlineStr"'
  if (content.type === 'boolean') return ' t="b"'
  return content.type === 'error' ? ' t="e"' : ''
}

function valueXml(prefix: string, content: CellContent): string {
  if (content.type === 'number') return `<${prefix}v>${content.value}</${prefix}v>`
  if (content.type === 'boolean') return `<${prefix}v>${content.value ? 1 : 0}</${prefix}v>`
  if (content.type === 'error') return `<${prefix}v>${encodeText(content.value)}</${prefix}v>`
  if (content.type !== 'text') return ''
  const runs = content.xml ?? (content.runs && runsXml(prefix, content.runs))
  return `<${prefix}is>${runs ?? textXml(prefix, content.value)}</${prefix}is>`
}

export function runsXml(prefix: string, runs: readonly TextRun[]): string {
  return runs.map(run => runXml(prefix, run)).join('')
}

function runXml(prefix: string, run: TextRun): string {
  const properties = [
    run.bold && `<${prefix}b/>`,
    run.italic && `<${prefix}i/>`,
    run.color && `<${prefix}color rgb="FF${run.color.toUpperCase()}"/>`,
    run.underline && `<${prefix}u/>`,
  ].filter(property => typeof property === 'string')
  const shown = properties.length > 0 ? `<${prefix}rPr>${properties.join('')}</${prefix}rPr>` : ''
  return `<${prefix}r>${shown}${textXml(prefix, run.text)}</${prefix}r>`
}

function textXml(prefix: string, text: string): string {
  const space = /^\s|\s$|\n|\s\s/.test(text) ? ' xml:space="preserve"' : ''
  return `<${prefix}t${space}>${encodeText(encodeEscapes(text))}</${prefix}t>`
}
