import { encodeAttribute, type LiveNode, type LiveTree } from '../../../../opc/index.ts'
import { invalid } from '../../edit/editor.ts'
import { refuseUnwritable } from '../../edit/new-paragraph.ts'
import { ensureProperties, setProperty } from '../../edit/properties.ts'
import { textXml } from '../../edit/text-edit.ts'
import { parseForm } from '../../story/parse-form.ts'

/** How inline marks become runs. */
export interface InlineTarget {
  readonly tree: LiveTree
  /** Properties of every run. */
  readonly look: LiveNode | undefined
  /** A character style for code; undefined: a typewriter font. */
  readonly codeStyle: string | undefined
  readonly linkStyle: string | undefined
  /** The id of a new link; undefined where the text stays without one. */
  readonly link: ((url: string) => string) | undefined
}

const CODE = '\ue000'

/** The runs of a line of Markdown: bold, italic, struck through, code and links. */
export function inlineRuns(target: InlineTarget, markdown: string): readonly LiveNode[] {
  const codes: string[] = []
  const marked = markdown.replaceAll(CODE, '').replace(/(`+)(.+?)\1/g, (_, __, code: string) => {
    codes.push(code.trim())
    return CODE
  })
  const parsed = parseForm(
    marked
      .replace(/(?<!\w)__(?=[^\s_])(.*?[^\s_])__(?!\w)/g, '**$1**')
      .replace(/(^|\W)_(?=[^\s_])(.*?[^\s_])_(?=\W|$)/g, '$1*$2*'),
  )
  if (parsed.labels.length > 0)
    throw invalid(
      `Markdown cannot hold ⟦${parsed.labels[0]}⟧: notes, pictures and fields have their own operations`,
    )
  refuseUnwritable(parsed.text)
  const nodes: LiveNode[] = []
  let used = 0
  for (let at = 0; at < parsed.text.length; ) {
    const link = parsed.links.find(own => own.start <= at && at < own.end)
    let end = at + 1
    const isCode = parsed.text[at] === CODE
    const key = keyAt(parsed, at)
    while (
      !isCode &&
      end < parsed.text.length &&
      parsed.text[end] !== CODE &&
      keyAt(parsed, end) === key
    )
      end++
    const text = isCode ? (codes[used++] ?? '') : parsed.text.slice(at, end)
    const run = newRun(target, text, parsed.looks[at]!, isCode, link !== undefined)
    const opened =
      link && target.link
        ? openLink(target, nodes.at(-1), link.target, link.start === at)
        : undefined
    if (opened) {
      target.tree.append(opened, [run])
      if (nodes.at(-1) !== opened) nodes.push(opened)
    } else nodes.push(run)
    at = end
  }
  return nodes
}

function keyAt({ looks, links }: ReturnType<typeof parseForm>, at: number): string {
  const { bold, italic, strike } = looks[at]!
  return `${bold}${italic}${strike}${links.findIndex(own => own.start <= at && at < own.end)}`
}

function newRun(
  { tree, look, codeStyle, linkStyle, link }: InlineTarget,
  text: string,
  looks: ReturnType<typeof parseForm>['looks'][number],
  isCode: boolean,
  isLink: boolean,
): LiveNode {
  const [run] = tree.fragment(`<w:r>${textXml(text)}</w:r>`)
  if (look) tree.insert(run!, 0, [tree.clone(look)])
  const set = (xml: string) => setProperty(tree, ensureProperties(tree, run!), xml)
  if (looks.bold) set('<w:b/>')
  if (looks.italic) set('<w:i/>')
  if (looks.strike) set('<w:strike/>')
  if (isCode && codeStyle !== undefined) set(`<w:rStyle w:val="${encodeAttribute(codeStyle)}"/>`)
  else if (isCode) set(MONO)
  else if (isLink && link && linkStyle !== undefined)
    set(`<w:rStyle w:val="${encodeAttribute(linkStyle)}"/>`)
  return run!
}

export const MONO = '<w:rFonts w:ascii="Courier New" w:hAnsi="Courier New" w:cs="Courier New"/>'

/** Runs of one link share its element. */
function openLink(
  { tree, link }: InlineTarget,
  last: LiveNode | undefined,
  url: string,
  isFirst: boolean,
): LiveNode {
  if (last?.name === 'w:hyperlink' && !isFirst) return last
  if (/^\s*(javascript|vbscript|data):/i.test(url))
    throw invalid(`${JSON.stringify(url)} is no address for a link`)
  const [made] = tree.fragment('<w:hyperlink/>')
  if (url.startsWith('#')) tree.setAttribute(made!, 'w:anchor', url.slice(1))
  else tree.setAttribute(made!, 'r:id', link!(url))
  return made!
}
