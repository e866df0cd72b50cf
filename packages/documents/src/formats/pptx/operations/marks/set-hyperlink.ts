import { counted } from '@filewright/protocol'
import type { LiveTree } from '../../../../opc/index.ts'
import { Refusal } from '../../../../refusal.ts'
import type { DeckArgs } from '../../declared/operations.ts'
import { type DeckEditor, wrongArgument } from '../../edit/editor.ts'
import { byBody, paragraphAt } from '../../edit/matches.ts'
import { ensureRunProperties, setRunChild } from '../../edit/run-properties.ts'
import { targetsOf } from '../../edit/targets.ts'
import { runsIn } from '../../edit/text-edit.ts'

/** Makes the matched text a link to an address, or to a slide of the deck. */
export function setHyperlink(editor: DeckEditor, args: DeckArgs<'set_hyperlink'>) {
  const { url } = args
  if (url.trim() === '')
    throw wrongArgument(
      'set_hyperlink needs url, such as "https://example.org", or "#3" for a slide',
    )
  if (/^\s*(javascript|vbscript|data|file):/i.test(url))
    throw wrongArgument(`${JSON.stringify(url)} is no address for a link`)
  refuseStrange(editor, url.trim())
  const target = slideTarget(editor, url)
  let count = 0
  for (const { body, matches } of byBody(editor, targetsOf(editor, args))) {
    const { part } = body.shape.page
    const isDone = editor.editBody(body, (tree, node) => {
      const link = target ?? { kind: 'hyperlink', name: url, isExternal: true }
      const id = editor.deck.package.addLink(part, link.kind, link.name, link.isExternal)
      for (const { paragraph, start, end } of [...matches].reverse())
        for (const run of runsIn(tree, paragraphAt(node, paragraph), start, end))
          setRunChild(tree, ensureRunProperties(tree, run), linkXml(tree, id, !link.isExternal))
      return true
    })
    if (isDone) count += matches.length
  }
  return { op: 'set_hyperlink', message: `Linked ${counted(count, 'place')} to ${url}.`, count }
}

/** What PowerPoint would take for the name of a file beside the deck. */
function refuseStrange({ operation }: DeckEditor, url: string): void {
  const [, number] = /^slide[\s_]*(?:index)?\s*(\d+)$/i.exec(url) ?? []
  const meant = number ? `#${number}` : /^www\./i.test(url) ? `https://${url}` : undefined
  if (meant !== undefined)
    throw wrongArgument(
      `${JSON.stringify(url)} is no address; ${number ? `the slide with the index ${number}` : 'the page'} is ${JSON.stringify(meant)}`,
      [{ ...operation, url: meant }],
    )
  if (/\s/.test(url))
    throw wrongArgument(
      `${JSON.stringify(url)} is no address; an address such as "https://example.org/a%20b" has no spaces, and "#3" is the slide with the index 3`,
    )
}

function linkXml(_: LiveTree, id: string, isSlide: boolean): string {
  return `<a:hlinkClick r:id="${id}"${isSlide ? ' action="ppaction://hlinksldjump"' : ''}/>`
}

/** `#3`: the slide with the index 3. */
function slideTarget(editor: DeckEditor, url: string) {
  const [, number] = /^#(\d+)$/.exec(url.trim()) ?? []
  if (number === undefined) return undefined
  const ref = editor.resolve('target', () => {
    const slide = editor.deck.slides[Number(number)]
    if (!slide)
      throw new Refusal(
        'NO_SUCH_REGION',
        `there is no slide ${number} to link to; the last slide is ${editor.deck.slides.length - 1}`,
      )
    return `@${slide.key}`
  })
  return { kind: 'slide', name: editor.slide(ref).page.part, isExternal: false }
}
