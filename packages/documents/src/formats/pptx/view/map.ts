import { counted, ok, type Result } from '@filewright/protocol'
import type { FileMap } from '../../../format.ts'
import { toPoints } from '../parts/values.ts'
import { notesShape } from '../slide/bodies.ts'
import type { Deck, Layout, Slide } from '../slide/deck.ts'
import { placeOnSlide } from '../slide/group-space.ts'
import type { Shape } from '../slide/page.ts'
import { type DeckSection, sectionsOf } from '../slide/sections.ts'
import { bodyStart } from '../slide/text.ts'
import { titleOf } from '../slide/titles.ts'
import { describeShape } from './show.ts'

const MOST_SLIDES = 1000 // in the fields
const MOST_LINES = 200 // slides in the text
const MOST_SHAPES = 100 // of one slide
const MOST_NOTES = 200 // characters
const MOST_TEXT = 60 // characters of a shape

/** The structural map: slides with titles, layouts, shapes, notes and comments, and the layouts of the deck. */
export function mapDeck(deck: Deck): Result<FileMap> {
  const sections = sectionsOf(deck)
  const slides = deck.slides.slice(0, MOST_SLIDES).map(slide => slideField(slide, sections))
  const { width, height } = deck.size
  const layouts = deck.layouts.map(layoutField)
  const fields = {
    slides,
    layouts,
    slideSize: { width: toPoints(width), height: toPoints(height) },
    ...(sections.length > 0 && { deckSections: sections.map(own => sectionField(deck, own)) }),
    ...(deck.package.hasMacros && { hasMacros: true }),
    ...(deck.package.isSigned && { isSigned: true }),
  }
  const state = [
    deck.package.hasMacros && 'macros',
    deck.package.isSigned && 'digitally signed',
  ].filter(each => typeof each === 'string')
  const text = [
    `${counted(deck.slides.length, 'slide')} of ${toPoints(width)} × ${toPoints(height)} points, ${counted(layouts.length, 'layout')}${state.length > 0 ? `, ${state.join(', ')}` : ''}`,
    ...slides.slice(0, MOST_LINES).flatMap(slideLines),
    ...(slides.length > MOST_LINES ? [`and ${slides.length - MOST_LINES} more slides`] : []),
    'layouts:',
    ...layouts.map(({ name, placeholders }) => `  ${name}: ${placeholders.join(', ') || 'empty'}`),
  ].join('\n')
  return ok({ text, fields })
}

type SlideField = ReturnType<typeof slideField>

function slideField(slide: Slide, sections: readonly DeckSection[]) {
  const { deck, page, key, index, isHidden } = slide
  const notes = notesText(slide)
  const section = sections.find(own => own.slides.includes(key))?.name
  const comments = deck.package.links(page.part).filter(({ kind }) => kind === 'comments').length
  return {
    index,
    id: key,
    title: titleOf(slide),
    layout: deck.layoutOf(page)?.name ?? '',
    shapes: page.shapes.slice(0, MOST_SHAPES).map(shape => shapeField(slide, shape)),
    ...(page.shapes.length > MOST_SHAPES && { shapeCount: page.shapes.length }),
    ...(notes !== '' && { notes: notes.slice(0, MOST_NOTES) }),
    ...(comments > 0 && { hasComments: true }),
    ...(isHidden && { isHidden: true }),
    ...(section !== undefined && { section }),
  }
}

function notesText(slide: Slide): string {
  const page = slide.deck.notesOf(slide)
  const body = page && notesShape(page)?.body
  return page && body ? bodyStart(page.tree, body, 2 * MOST_NOTES).trim() : ''
}

function shapeField(slide: Slide, shape: Shape) {
  const box = placeOnSlide(slide.deck, shape)
  const { tree } = shape.page
  const start = shape.body ? bodyStart(tree, shape.body, 4 * MOST_TEXT) : ''
  const text = start.replace(/\s+/g, ' ').trim()
  return {
    id: shape.key,
    name: shape.name,
    kind: describeShape(slide, shape),
    ...(shape.placeholder && { placeholder: shape.placeholder.type }),
    ...(shape.group && { group: shape.group.key }),
    ...(box && {
      left: toPoints(box.left),
      top: toPoints(box.top),
      width: toPoints(box.width),
      height: toPoints(box.height),
    }),
    ...(text !== '' && {
      text: text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT - 1)}…` : text,
    }),
    ...(shape.alt !== '' && { alt: shape.alt.slice(0, 120) }),
  }
}

function layoutField({ name, page, master }: Layout) {
  return {
    name,
    placeholders: page.shapes.flatMap(({ placeholder, name: own }) =>
      placeholder && !/^(dt|ftr|sldNum|hdr)$/.test(placeholder.type)
        ? [`${own} (${placeholder.type})`]
        : [],
    ),
    ...(master && { master: master.part.slice(master.part.lastIndexOf('/') + 1) }),
  }
}

function sectionField(deck: Deck, { name, slides }: DeckSection) {
  return { name, slides: slides.flatMap(key => deck.slide(key)?.index ?? []) }
}

function slideLines({ index, title, layout, shapes, notes, section, ...more }: SlideField) {
  const marks = [
    layout !== '' && `layout ${layout}`,
    more.isHidden && 'hidden',
    notes !== undefined && 'notes',
    more.hasComments && 'comments',
    section !== undefined && `section ${section}`,
  ].filter(each => typeof each === 'string')
  return [
    `slide_index ${index}: ${title === '' ? '(no title)' : title} [${marks.join(', ')}]`,
    ...shapes.map(
      ({ id, name, kind, text, left, top, width, height }) =>
        `  #${id} ${name}: ${kind}${left === undefined ? '' : `, at ${left},${top}, ${width} × ${height}`}${text === undefined ? '' : `, "${text}"`}`,
    ),
  ]
}
