import { counted } from '@filewright/protocol'
import { encodeText } from '../../../../opc/index.ts'
import type { DeckArgs } from '../../declared/operations.ts'
import type { DeckEditor } from '../../edit/editor.ts'
import { slideAt } from '../../edit/fields.ts'
import { ensureBody, placeholderFrom } from '../../edit/placeholders.ts'
import type { Slide } from '../../slide/deck.ts'
import { bodyText, paragraphsOf } from '../../slide/text.ts'
import { fieldXml } from './add-slide.ts'

interface FooterWrite {
  readonly type: 'ftr' | 'dt' | 'sldNum'
  readonly name: string
  /** The paragraph that it shows; undefined removes it. */
  readonly paragraph: ((slide: Slide) => string) | undefined
}

/** Footer text, date and slide number, each a change of its own on each slide. */
export function setFooter(editor: DeckEditor, args: DeckArgs<'set_footer'>) {
  const { index } = args
  const writes = writesOf(editor, args)
  const refs = editor.resolve('slides', () =>
    (index === undefined ? editor.deck.slides : [slideAt(editor.deck, index)]).map(
      ({ key }) => `@${key}`,
    ),
  )
  let count = 0
  const without = new Map<string, string[]>()
  const left = editor.isPartial ? refs.filter(ref => editor.deck.slide(ref.slice(1))) : refs
  for (const ref of left)
    for (const write of writes) {
      const done = setOne(editor, editor.slide(ref), write)
      if (done === 'missing')
        without.set(write.name, [
          ...(without.get(write.name) ?? []),
          String(editor.slide(ref).index),
        ])
      else if (done) count++
    }
  for (const [name, slides] of without)
    editor.warn(
      `The layout of slide ${slides.join(', ')} has no place for a ${name}, so none was set there.`,
    )
  return { op: 'set_footer', message: `Set ${counted(count, 'footer')}.`, footers: count }
}

function writesOf(
  editor: DeckEditor,
  { text, date, slide_number: number }: DeckArgs<'set_footer'>,
) {
  const writes: FooterWrite[] = []
  const plain = (words: string) => () =>
    `<a:p><a:r><a:rPr/><a:t>${encodeText(words)}</a:t></a:r></a:p>`
  if (text !== undefined)
    writes.push({ type: 'ftr', name: 'footer', paragraph: text === '' ? undefined : plain(text) })
  if (typeof date === 'string' && date !== '')
    writes.push({ type: 'dt', name: 'date', paragraph: plain(date) })
  else if (date === true) {
    const today = (editor.circumstances?.time ?? '').slice(0, 10)
    writes.push({
      type: 'dt',
      name: 'date',
      paragraph: () => fieldXml('datetime1', undefined, today),
    })
  } else if (date !== undefined) writes.push({ type: 'dt', name: 'date', paragraph: undefined })
  if (number !== undefined)
    writes.push({
      type: 'sldNum',
      name: 'slide number',
      paragraph: number
        ? ({ index }) => fieldXml('slidenum', undefined, String(index + 1))
        : undefined,
    })
  return writes
}

function setOne(
  editor: DeckEditor,
  slide: Slide,
  { type, name, paragraph }: FooterWrite,
): boolean | 'missing' {
  const { deck, page } = slide
  const { tree } = page
  const id = editor.newId(slide.page)
  const known = page.shapes.find(({ placeholder }) => placeholder?.type === type)
  const model = deck
    .layoutOf(page)
    ?.page.shapes.find(({ placeholder }) => placeholder?.type === type)
  editor.resolve(`${type} of ${slide.key}`, () => known && `@${slide.key}/${known.key}`)
  if (!known && !paragraph) return false
  if (!known && !model) return 'missing'
  const side = () => {
    const body = page.shapes.find(({ placeholder }) => placeholder?.type === type)?.body
    return body ? { text: bodyText(tree, body) } : null
  }
  return editor.change(
    {
      kind: 'text',
      place: `${deck.slidePlace(slide.key)} › ${name}`,
      keys: [`@${slide.key} ${type}`, `@${slide.key}/${known?.key ?? id}`],
      reads: [`@${slide.key}`, `@${slide.key} layout`],
      before: side(),
      after: side,
    },
    () => {
      if (!paragraph) {
        tree.remove(known!.node)
        return true
      }
      const body = ensureBody(tree, known?.node ?? placeholderFrom(slide, model!, id))
      const [first, ...others] = paragraphsOf(body)
      for (const other of others) tree.remove(other)
      const made = tree.fragment(paragraph(slide))
      if (first) {
        tree.after(first, made)
        tree.remove(first)
      } else tree.append(body, made)
      return true
    },
  )
}
