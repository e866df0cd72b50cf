/** The styles of a new document: those that people and other operations expect. */
export function blankStyles(namespace: string): string {
  return `<w:styles xmlns:w="${namespace}"><w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="Calibri" w:hAnsi="Calibri" w:eastAsia="Calibri" w:cs="Calibri"/><w:sz w:val="22"/><w:szCs w:val="22"/><w:lang w:val="en-US" w:eastAsia="en-US" w:bidi="ar-SA"/></w:rPr></w:rPrDefault><w:pPrDefault><w:pPr><w:spacing w:after="160" w:line="259" w:lineRule="auto"/></w:pPr></w:pPrDefault></w:docDefaults>${STYLES.join('')}</w:styles>`
}

const HEADINGS = [32, 26, 24, 22, 22, 22].map((size, index) =>
  paragraphStyle(
    `Heading${index + 1}`,
    `heading ${index + 1}`,
    `<w:next w:val="Normal"/><w:uiPriority w:val="9"/><w:qFormat/>`,
    `<w:keepNext/><w:keepLines/><w:spacing w:before="${index === 0 ? 240 : 120}" w:after="60"/><w:outlineLvl w:val="${index}"/>`,
    `<w:b/><w:bCs/><w:color w:val="1F3864"/><w:sz w:val="${size}"/><w:szCs w:val="${size}"/>`,
  ),
)

const STYLES: readonly string[] = [
  '<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/><w:qFormat/></w:style>',
  '<w:style w:type="character" w:default="1" w:styleId="DefaultParagraphFont"><w:name w:val="Default Paragraph Font"/><w:uiPriority w:val="1"/><w:semiHidden/></w:style>',
  '<w:style w:type="table" w:default="1" w:styleId="TableNormal"><w:name w:val="Normal Table"/><w:uiPriority w:val="99"/><w:semiHidden/><w:tblPr><w:tblInd w:w="0" w:type="dxa"/><w:tblCellMar><w:top w:w="0" w:type="dxa"/><w:left w:w="108" w:type="dxa"/><w:bottom w:w="0" w:type="dxa"/><w:right w:w="108" w:type="dxa"/></w:tblCellMar></w:tblPr></w:style>',
  '<w:style w:type="numbering" w:default="1" w:styleId="NoList"><w:name w:val="No List"/><w:uiPriority w:val="99"/><w:semiHidden/></w:style>',
  paragraphStyle(
    'Title',
    'Title',
    '<w:next w:val="Normal"/><w:uiPriority w:val="10"/><w:qFormat/>',
    '<w:spacing w:after="120" w:line="240" w:lineRule="auto"/>',
    '<w:b/><w:bCs/><w:sz w:val="48"/><w:szCs w:val="48"/>',
  ),
  paragraphStyle(
    'Subtitle',
    'Subtitle',
    '<w:next w:val="Normal"/><w:uiPriority w:val="11"/><w:qFormat/>',
    '',
    '<w:color w:val="5A5A5A"/><w:sz w:val="26"/><w:szCs w:val="26"/>',
  ),
  ...HEADINGS,
  paragraphStyle(
    'ListParagraph',
    'List Paragraph',
    '<w:uiPriority w:val="34"/><w:qFormat/>',
    '<w:ind w:left="720"/><w:contextualSpacing/>',
    '',
  ),
  paragraphStyle(
    'ListBullet',
    'List Bullet',
    '<w:uiPriority w:val="99"/>',
    '<w:numPr><w:numId w:val="1"/></w:numPr><w:contextualSpacing/>',
    '',
  ),
  paragraphStyle(
    'ListNumber',
    'List Number',
    '<w:uiPriority w:val="99"/>',
    '<w:numPr><w:numId w:val="2"/></w:numPr><w:contextualSpacing/>',
    '',
  ),
  paragraphStyle(
    'Quote',
    'Quote',
    '<w:uiPriority w:val="29"/><w:qFormat/>',
    '<w:ind w:left="720" w:right="720"/>',
    '<w:i/><w:iCs/>',
  ),
  paragraphStyle(
    'Caption',
    'caption',
    '<w:uiPriority w:val="35"/><w:qFormat/>',
    '<w:spacing w:after="200" w:line="240" w:lineRule="auto"/>',
    '<w:i/><w:iCs/><w:sz w:val="18"/><w:szCs w:val="18"/>',
  ),
  paragraphStyle(
    'Header',
    'header',
    '<w:uiPriority w:val="99"/>',
    '<w:tabs><w:tab w:val="center" w:pos="4513"/><w:tab w:val="right" w:pos="9026"/></w:tabs><w:spacing w:after="0" w:line="240" w:lineRule="auto"/>',
    '',
  ),
  paragraphStyle(
    'Footer',
    'footer',
    '<w:uiPriority w:val="99"/>',
    '<w:tabs><w:tab w:val="center" w:pos="4513"/><w:tab w:val="right" w:pos="9026"/></w:tabs><w:spacing w:after="0" w:line="240" w:lineRule="auto"/>',
    '',
  ),
  paragraphStyle(
    'FootnoteText',
    'footnote text',
    '<w:uiPriority w:val="99"/>',
    '<w:spacing w:after="0" w:line="240" w:lineRule="auto"/>',
    '<w:sz w:val="20"/><w:szCs w:val="20"/>',
  ),
  characterStyle('FootnoteReference', 'footnote reference', '<w:vertAlign w:val="superscript"/>'),
  characterStyle('Hyperlink', 'Hyperlink', '<w:color w:val="0563C1"/><w:u w:val="single"/>'),
  characterStyle('Strong', 'Strong', '<w:b/><w:bCs/>'),
  characterStyle('Emphasis', 'Emphasis', '<w:i/><w:iCs/>'),
  '<w:style w:type="table" w:styleId="TableGrid"><w:name w:val="Table Grid"/><w:basedOn w:val="TableNormal"/><w:uiPriority w:val="39"/><w:pPr><w:spacing w:after="0" w:line="240" w:lineRule="auto"/></w:pPr><w:tblPr><w:tblBorders><w:top w:val="single" w:sz="4" w:space="0" w:color="auto"/><w:left w:val="single" w:sz="4" w:space="0" w:color="auto"/><w:bottom w:val="single" w:sz="4" w:space="0" w:color="auto"/><w:right w:val="single" w:sz="4" w:space="0" w:color="auto"/><w:insideH w:val="single" w:sz="4" w:space="0" w:color="auto"/><w:insideV w:val="single" w:sz="4" w:space="0" w:color="auto"/></w:tblBorders></w:tblPr></w:style>',
]

function paragraphStyle(
  id: string,
  name: string,
  more: string,
  paragraph: string,
  run: string,
): string {
  const properties = paragraph === '' ? '' : `<w:pPr>${paragraph}</w:pPr>`
  const look = run === '' ? '' : `<w:rPr>${run}</w:rPr>`
  return `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/><w:basedOn w:val="Normal"/>${more}${properties}${look}</w:style>`
}

function characterStyle(id: string, name: string, run: string): string {
  return `<w:style w:type="character" w:styleId="${id}"><w:name w:val="${name}"/><w:basedOn w:val="DefaultParagraphFont"/><w:uiPriority w:val="99"/><w:rPr>${run}</w:rPr></w:style>`
}

const BULLETS = ['•', '◦', '▪']
const NUMBERS = [
  ['decimal', '.'],
  ['lowerLetter', ')'],
  ['lowerRoman', ')'],
] as const

/** Bullets as list 1, numbers as list 2. */
export function blankNumbering(namespace: string): string {
  const levels = (level: (index: number) => string) =>
    Array.from({ length: 9 }, (_, index) => {
      const indent = `<w:pPr><w:ind w:left="${720 * (index + 1)}" w:hanging="360"/></w:pPr>`
      return `<w:lvl w:ilvl="${index}"><w:start w:val="1"/>${level(index)}<w:lvlJc w:val="left"/>${indent}</w:lvl>`
    }).join('')
  const bullets = levels(
    index => `<w:numFmt w:val="bullet"/><w:lvlText w:val="${BULLETS[index % 3]}"/>`,
  )
  const numbers = levels(index => {
    const [format, end] = NUMBERS[index % 3]!
    return `<w:numFmt w:val="${format}"/><w:lvlText w:val="%${index + 1}${end}"/>`
  })
  return `<w:numbering xmlns:w="${namespace}"><w:abstractNum w:abstractNumId="0"><w:multiLevelType w:val="hybridMultilevel"/>${bullets}</w:abstractNum><w:abstractNum w:abstractNumId="1"><w:multiLevelType w:val="hybridMultilevel"/>${numbers}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num></w:numbering>`
}
