import { fail, ok, type Result, toBytes } from '@filewright/protocol'
import { CONTENT_TYPES_NAME, readZip, zipContent } from '../../../opc/index.ts'
import { DeckPackage } from '../parts/deck-package.ts'
import { LAYOUTS, layoutXml } from './blank-layouts.ts'
import { masterXml, otherLevel } from './blank-master.ts'
import { blankTheme } from './blank-theme.ts'
import { DECLARATION, declared, PRESENTATION, THEME_TYPE } from './namespaces.ts'

const R = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const MACROS = 'application/vnd.ms-powerpoint'
const MAIN_TYPES: Readonly<Record<string, string>> = {
  pptx: `${PRESENTATION}.presentation.main+xml`,
  potx: `${PRESENTATION}.template.main+xml`,
  ppsx: `${PRESENTATION}.slideshow.main+xml`,
  pptm: `${MACROS}.presentation.macroEnabled.main+xml`,
  potm: `${MACROS}.template.macroEnabled.main+xml`,
  ppsm: `${MACROS}.slideshow.macroEnabled.main+xml`,
}
const EMPTY_ZIP = Uint8Array.from([0x50, 0x4b, 5, 6, ...new Array<number>(18).fill(0)])
const LAYOUT = (index: number) => `ppt/slideLayouts/slideLayout${index + 1}.xml`

/** A deck without slides, with a master and the usual layouts. */
export function createDeck(path: string): Result<Uint8Array> {
  const archive = readZip(EMPTY_ZIP)
  if (!archive.ok) return archive
  const parts = new Map<string, string>([
    [CONTENT_TYPES_NAME, contentTypes(path)],
    ['_rels/.rels', links([['officeDocument', 'ppt/presentation.xml']])],
    ['ppt/presentation.xml', presentationXml()],
    [
      'ppt/_rels/presentation.xml.rels',
      links([
        ['slideMaster', 'slideMasters/slideMaster1.xml'],
        ['theme', 'theme/theme1.xml'],
      ]),
    ],
    ['ppt/slideMasters/slideMaster1.xml', masterXml()],
    [
      'ppt/slideMasters/_rels/slideMaster1.xml.rels',
      links([
        ...LAYOUTS.map(
          (_, index) => ['slideLayout', `../slideLayouts/slideLayout${index + 1}.xml`] as const,
        ),
        ['theme', '../theme/theme1.xml'],
      ]),
    ],
    ['ppt/theme/theme1.xml', blankTheme()],
    ...LAYOUTS.flatMap((layout, index): [string, string][] => [
      [LAYOUT(index), layoutXml(layout)],
      [
        `ppt/slideLayouts/_rels/slideLayout${index + 1}.xml.rels`,
        links([['slideMaster', '../slideMasters/slideMaster1.xml']]),
      ],
    ]),
  ])
  const bytes = new Map([...parts].map(([name, xml]) => [name, Buffer.from(xml)]))
  return ok(toBytes(zipContent(archive.value, bytes), EMPTY_ZIP))
}

function contentTypes(path: string): string {
  const override = (name: string, type: string) =>
    `<Override PartName="/${name}" ContentType="${type}"/>`
  return `${DECLARATION}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${override('ppt/presentation.xml', mainType(path))}${override('ppt/slideMasters/slideMaster1.xml', `${PRESENTATION}.slideMaster+xml`)}${LAYOUTS.map((_, index) => override(LAYOUT(index), `${PRESENTATION}.slideLayout+xml`)).join('')}${override('ppt/theme/theme1.xml', THEME_TYPE)}</Types>`
}

function links(list: readonly (readonly [string, string])[]): string {
  return `${DECLARATION}<Relationships xmlns="${PACKAGE}/relationships">${list
    .map(
      ([kind, target], index) =>
        `<Relationship Id="rId${index + 1}" Type="${R}/${kind}" Target="${target}"/>`,
    )
    .join('')}</Relationships>`
}

function presentationXml(): string {
  const levels = Array.from({ length: 9 }, (_, level) => otherLevel(0, level)).join('')
  return `${DECLARATION}<p:presentation ${declared(false, 'a', 'r', 'p')} saveSubsetFonts="1"><p:sldMasterIdLst><p:sldMasterId id="2147483648" r:id="rId1"/></p:sldMasterIdLst><p:sldSz cx="12192000" cy="6858000"/><p:notesSz cx="6858000" cy="9144000"/><p:defaultTextStyle>${levels}</p:defaultTextStyle></p:presentation>`
}

/** The deck under another name: PowerPoint compares the content type with the name. */
export function copyDeck(from: Uint8Array, path: string): Result<Uint8Array> {
  const opened = DeckPackage.open(from)
  if (!opened.ok) return opened
  const own = opened.value
  const type = mainType(path)
  if (own.typeOf(own.mainName) === type) return ok(from)
  if (own.hasMacros && !type.includes('macroEnabled'))
    return fail(
      'INVALID_ARGUMENT',
      `Nothing was written: the deck has macros, which ${JSON.stringify(path)} cannot hold under that name; choose one that ends in .pptm.`,
    )
  own.setType(own.mainName, type)
  const content = own.content()
  return content.ok ? ok(toBytes(content.value, from)) : content
}

function mainType(path: string): string {
  const ending = path.slice(path.lastIndexOf('.') + 1).toLowerCase()
  return MAIN_TYPES[ending] ?? MAIN_TYPES.pptx!
}
