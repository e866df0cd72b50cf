import { twice } from '../office-file.ts'
import type { RepairRule } from '../rule.ts'
import { property, storiesOf, valuesOf } from './stories.ts'

const REVISIONS: ReadonlySet<string> = new Set(
  'ins del moveFrom moveTo cellIns cellDel cellMerge pPrChange rPrChange sectPrChange tblPrChange tblPrExChange tcPrChange trPrChange tblGridChange numberingChange'
    .split(' ')
    .map(name => `w:${name}`),
)

const revisionIdTwice: RepairRule = {
  id: 'docx/revision-id-twice',
  *check(file) {
    const ids = storiesOf(file).flatMap(story => valuesOf(story, REVISIONS, 'w:id'))
    for (const id of twice(ids)) yield `two tracked changes have the id ${id}`
  },
}

const drawingIdTwice: RepairRule = {
  id: 'docx/drawing-id-twice',
  *check(file) {
    for (const story of storiesOf(file))
      for (const id of twice(valuesOf(story, new Set(['wp:docPr']), 'id')))
        yield `two drawings of ${story.name} have the id ${id}`
  },
}

const controlIdTwice: RepairRule = {
  id: 'docx/content-control-id-twice',
  *check(file) {
    const ids = storiesOf(file).flatMap(({ elements, tree }) =>
      elements.flatMap(node =>
        node.name === 'w:sdt' ? (property(tree, node.child('w:sdtPr'), 'w:id') ?? []) : [],
      ),
    )
    for (const id of twice(ids)) yield `two content controls have the id ${id}`
  },
}

const paragraphIdTwice: RepairRule = {
  id: 'docx/paragraph-id-twice',
  *check(file) {
    for (const story of storiesOf(file)) {
      const ids = valuesOf(story, new Set(['w:p', 'w:tr']), 'w14:paraId')
      for (const id of twice(ids)) yield `two paragraphs of ${story.name} have the id ${id}`
      for (const id of ids)
        if (Number.parseInt(id, 16) >= 0x80000000 || !/^[0-9a-f]{8}$/i.test(id))
          yield `${id} of ${story.name} is no id of a paragraph`
    }
  },
}

export const ID_RULES: readonly RepairRule[] = [
  revisionIdTwice,
  drawingIdTwice,
  controlIdTwice,
  paragraphIdTwice,
]
