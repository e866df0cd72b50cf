import { buildZip } from '../../packages/documents/src/opc/zip.contract.ts'

export interface HostileFile {
  readonly name: string
  readonly bytes: Uint8Array
}

const RELS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'

/** What a document can do to reach out, each at an address of its own below `web`, or to show a file. */
export function hostileFiles(web: string, file: string): HostileFile[] {
  return [
    { name: 'remote.docx', bytes: remoteDocument(web) },
    { name: 'remote.xlsx', bytes: remoteWorkbook(web) },
    { name: 'remote.pptx', bytes: remoteDeck(web) },
    { name: 'remote.odt', bytes: remoteText(web, file) },
    { name: 'remote.rtf', bytes: remoteRtf(web, file) },
    { name: 'remote.ods', bytes: remoteSheet(web) },
  ]
}

function relationships(
  list: readonly [id: string, kind: string, target: string, isExternal: boolean][],
) {
  const own = list.map(
    ([id, kind, target, isExternal]) =>
      `<Relationship Id="${id}" Type="${RELS}/${kind}" Target="${target}"${isExternal ? ' TargetMode="External"' : ''}/>`,
  )
  return `${XML}<Relationships xmlns="${PACKAGE}/relationships">${own.join('')}</Relationships>`
}

function types(main: string, overrides: readonly [part: string, type: string][]) {
  const own = overrides.map(
    ([part, type]) =>
      `<Override PartName="${part}" ContentType="application/vnd.openxmlformats-officedocument.${type}+xml"/>`,
  )
  return `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${own.join('')}${main}</Types>`
}

/** A linked picture, a remote template, a field that includes a picture, and a linked object. */
function remoteDocument(web: string): Uint8Array {
  const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
  const picture = `<w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"><wp:extent cx="900000" cy="900000"/><wp:docPr id="1" name="p"/><a:graphic xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:nvPicPr><pic:cNvPr id="1" name="p"/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill><a:blip r:link="rId1"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill><pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="900000" cy="900000"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing>`
  const field = `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> INCLUDEPICTURE "${web}/field.png" \\d </w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>`
  return buildZip([
    {
      name: '[Content_Types].xml',
      data: types('', [
        ['/word/document.xml', 'wordprocessingml.document.main'],
        ['/word/settings.xml', 'wordprocessingml.settings'],
      ]),
    },
    {
      name: '_rels/.rels',
      data: relationships([['rId1', 'officeDocument', 'word/document.xml', false]]),
    },
    {
      name: 'word/document.xml',
      data: `${XML}<w:document xmlns:w="${word}" xmlns:r="${RELS}"><w:body><w:p><w:r><w:t>plain words</w:t></w:r></w:p><w:p><w:r>${picture}</w:r></w:p><w:p>${field}</w:p></w:body></w:document>`,
    },
    {
      name: 'word/_rels/document.xml.rels',
      data: relationships([
        ['rId1', 'image', `${web}/linked.png`, true],
        ['rId2', 'settings', 'settings.xml', false],
        ['rId3', 'oleObject', `${web}/object.xlsx`, true],
      ]),
    },
    {
      name: 'word/settings.xml',
      data: `${XML}<w:settings xmlns:w="${word}" xmlns:r="${RELS}"><w:attachedTemplate r:id="rId1"/></w:settings>`,
    },
    {
      name: 'word/_rels/settings.xml.rels',
      data: relationships([['rId1', 'attachedTemplate', `${web}/template.dotm`, true]]),
    },
  ])
}

/** A formula that asks a server, a reference to a remote workbook, a DDE link, and a linked picture. */
function remoteWorkbook(web: string): Uint8Array {
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
  const cell = (ref: string, formula: string) => `<c r="${ref}"><f>${formula}</f></c>`
  const drawing = `<xdr:wsDr xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="${RELS}"><xdr:oneCellAnchor><xdr:from><xdr:col>2</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>2</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:from><xdr:ext cx="900000" cy="900000"/><xdr:pic><xdr:nvPicPr><xdr:cNvPr id="2" name="p"/><xdr:cNvPicPr/></xdr:nvPicPr><xdr:blipFill><a:blip r:link="rId1"/><a:stretch><a:fillRect/></a:stretch></xdr:blipFill><xdr:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="900000" cy="900000"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></xdr:spPr></xdr:pic><xdr:clientData/></xdr:oneCellAnchor></xdr:wsDr>`
  return buildZip([
    {
      name: '[Content_Types].xml',
      data: types('', [
        ['/xl/workbook.xml', 'spreadsheetml.sheet.main'],
        ['/xl/worksheets/sheet1.xml', 'spreadsheetml.worksheet'],
        ['/xl/externalLinks/externalLink1.xml', 'spreadsheetml.externalLink'],
        ['/xl/externalLinks/externalLink2.xml', 'spreadsheetml.externalLink'],
        ['/xl/drawings/drawing1.xml', 'drawing'],
      ]),
    },
    {
      name: '_rels/.rels',
      data: relationships([['rId1', 'officeDocument', 'xl/workbook.xml', false]]),
    },
    {
      name: 'xl/workbook.xml',
      data: `${XML}<workbook xmlns="${main}" xmlns:r="${RELS}"><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets><externalReferences><externalReference r:id="rId2"/><externalReference r:id="rId3"/></externalReferences><calcPr fullCalcOnLoad="1"/></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      data: relationships([
        ['rId1', 'worksheet', 'worksheets/sheet1.xml', false],
        ['rId2', 'externalLink', 'externalLinks/externalLink1.xml', false],
        ['rId3', 'externalLink', 'externalLinks/externalLink2.xml', false],
      ]),
    },
    {
      name: 'xl/worksheets/sheet1.xml',
      data: `${XML}<worksheet xmlns="${main}" xmlns:r="${RELS}"><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>plain words</t></is></c>${cell('B1', `_xlfn.WEBSERVICE("${web}/service")`)}${cell('C1', '[1]Sheet1!$A$1')}${cell('D1', "[2]!'!item'")}</row></sheetData><drawing r:id="rId1"/></worksheet>`,
    },
    {
      name: 'xl/worksheets/_rels/sheet1.xml.rels',
      data: relationships([['rId1', 'drawing', '../drawings/drawing1.xml', false]]),
    },
    { name: 'xl/drawings/drawing1.xml', data: XML + drawing },
    {
      name: 'xl/drawings/_rels/drawing1.xml.rels',
      data: relationships([['rId1', 'image', `${web}/sheet-picture.png`, true]]),
    },
    {
      name: 'xl/externalLinks/externalLink1.xml',
      data: `${XML}<externalLink xmlns="${main}"><externalBook xmlns:r="${RELS}" r:id="rId1"><sheetNames><sheetName val="Sheet1"/></sheetNames></externalBook></externalLink>`,
    },
    {
      name: 'xl/externalLinks/_rels/externalLink1.xml.rels',
      data: relationships([['rId1', 'externalLinkPath', `${web}/other.xlsx`, true]]),
    },
    {
      name: 'xl/externalLinks/externalLink2.xml',
      data: `${XML}<externalLink xmlns="${main}"><ddeLink ddeService="cmd" ddeTopic="/C touch owned"><ddeItems><ddeItem name="!item" advise="1"/></ddeItems></ddeLink></externalLink>`,
    },
  ])
}

/** A linked picture on a slide. */
function remoteDeck(web: string): Uint8Array {
  const p = 'http://schemas.openxmlformats.org/presentationml/2006/main'
  const a = 'http://schemas.openxmlformats.org/drawingml/2006/main'
  const tree = (shapes: string) =>
    `<p:cSld><p:spTree><p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>${shapes}</p:spTree></p:cSld>`
  const text = `<p:sp><p:nvSpPr><p:cNvPr id="2" name="t"/><p:cNvSpPr txBox="1"/><p:nvPr/></p:nvSpPr><p:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="4000000" cy="900000"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr><p:txBody><a:bodyPr/><a:p><a:r><a:rPr lang="en-US"/><a:t>plain words</a:t></a:r></a:p></p:txBody></p:sp>`
  const picture = `<p:pic><p:nvPicPr><p:cNvPr id="3" name="p"/><p:cNvPicPr/><p:nvPr/></p:nvPicPr><p:blipFill><a:blip r:link="rId2"/><a:stretch><a:fillRect/></a:stretch></p:blipFill><p:spPr><a:xfrm><a:off x="0" y="1000000"/><a:ext cx="900000" cy="900000"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr></p:pic>`
  const root = (name: string, inner: string) =>
    `${XML}<p:${name} xmlns:p="${p}" xmlns:a="${a}" xmlns:r="${RELS}">${inner}</p:${name}>`
  return buildZip([
    {
      name: '[Content_Types].xml',
      data: types('', [
        ['/ppt/presentation.xml', 'presentationml.presentation.main'],
        ['/ppt/slides/slide1.xml', 'presentationml.slide'],
        ['/ppt/slideLayouts/slideLayout1.xml', 'presentationml.slideLayout'],
        ['/ppt/slideMasters/slideMaster1.xml', 'presentationml.slideMaster'],
      ]),
    },
    {
      name: '_rels/.rels',
      data: relationships([['rId1', 'officeDocument', 'ppt/presentation.xml', false]]),
    },
    {
      name: 'ppt/presentation.xml',
      data: root(
        'presentation',
        '<p:sldMasterIdLst><p:sldMasterId id="2147483648" r:id="rId1"/></p:sldMasterIdLst><p:sldIdLst><p:sldId id="256" r:id="rId2"/></p:sldIdLst><p:sldSz cx="9144000" cy="6858000"/><p:notesSz cx="6858000" cy="9144000"/>',
      ),
    },
    {
      name: 'ppt/_rels/presentation.xml.rels',
      data: relationships([
        ['rId1', 'slideMaster', 'slideMasters/slideMaster1.xml', false],
        ['rId2', 'slide', 'slides/slide1.xml', false],
      ]),
    },
    { name: 'ppt/slides/slide1.xml', data: root('sld', tree(text + picture)) },
    {
      name: 'ppt/slides/_rels/slide1.xml.rels',
      data: relationships([
        ['rId1', 'slideLayout', '../slideLayouts/slideLayout1.xml', false],
        ['rId2', 'image', `${web}/slide-picture.png`, true],
      ]),
    },
    { name: 'ppt/slideLayouts/slideLayout1.xml', data: root('sldLayout', tree('')) },
    {
      name: 'ppt/slideLayouts/_rels/slideLayout1.xml.rels',
      data: relationships([['rId1', 'slideMaster', '../slideMasters/slideMaster1.xml', false]]),
    },
    {
      name: 'ppt/slideMasters/slideMaster1.xml',
      data: root(
        'sldMaster',
        `${tree('')}<p:sldLayoutIdLst><p:sldLayoutId id="2147483649" r:id="rId1"/></p:sldLayoutIdLst>`,
      ),
    },
    {
      name: 'ppt/slideMasters/_rels/slideMaster1.xml.rels',
      data: relationships([['rId1', 'slideLayout', '../slideLayouts/slideLayout1.xml', false]]),
    },
  ])
}

const OFFICE = ['office', 'text', 'table', 'draw', 'script', 'form']
  .map(
    name =>
      `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${{ draw: 'drawing' }[name] ?? name}:1.0"`,
  )
  .concat(
    'xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:dom="http://www.w3.org/2001/xml-events"',
  )
  .concat('xmlns:ooo="http://openoffice.org/2004/office"')
  .concat('xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"')
  .join(' ')

function openDocument(
  kind: string,
  body: string,
  more: readonly { name: string; data: string }[] = [],
) {
  const type = `application/vnd.oasis.opendocument.${kind}`
  const listed = ['content.xml', ...more.map(({ name }) => name)]
    .map(
      name => `<manifest:file-entry manifest:full-path="${name}" manifest:media-type="text/xml"/>`,
    )
    .join('')
  return buildZip([
    { name: 'mimetype', data: type },
    {
      name: 'META-INF/manifest.xml',
      data: `<?xml version="1.0"?><manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><manifest:file-entry manifest:full-path="/" manifest:media-type="${type}"/>${listed}</manifest:manifest>`,
    },
    {
      name: 'content.xml',
      data: `<?xml version="1.0"?><office:document-content ${OFFICE} office:version="1.3">${body}</office:document-content>`,
    },
    ...more,
  ])
}

/** A linked section, from a server and from a file, and linked pictures. */
function remoteText(web: string, file: string): Uint8Array {
  const section = (name: string, from: string) =>
    `<text:section text:name="${name}"><text:section-source xlink:href="${from}"/><text:p>kept words</text:p></text:section>`
  const picture = (from: string) =>
    `<text:p><draw:frame text:anchor-type="as-char" svg:width="2cm" svg:height="2cm"><draw:image xlink:href="${from}" xlink:type="simple"/></draw:frame></text:p>`
  return openDocument(
    'text',
    `<office:body><office:text><text:p>plain words</text:p>${section('web', `${web}/section.odt`)}${section('file', `file://${file}`)}${picture(`${web}/text-picture.png`)}${picture(`file://${file}`)}</office:text></office:body>`,
  )
}

function remoteRtf(web: string, file: string): Uint8Array {
  const include = (kind: string, from: string) =>
    `{\\field{\\*\\fldinst {${kind} "${from}" \\\\d}}{\\fldrslt {kept words}}}\\par`
  return Buffer.from(
    `{\\rtf1\\ansi plain words\\par ${include('INCLUDEPICTURE', `${web}/rtf-picture.png`)}${include('INCLUDETEXT', file)}}`,
  )
}

/** A formula that asks a server, an area linked from one, and a DDE link. */
function remoteSheet(web: string): Uint8Array {
  const cell = (formula: string) =>
    `<table:table-cell table:formula="of:=${formula.replaceAll('"', '&quot;')}" office:value-type="string"/>`
  const linked = `<table:table-cell office:value-type="string"><table:cell-range-source table:name="all" xlink:href="${web}/area.ods" xlink:type="simple" table:last-column-spanned="1" table:last-row-spanned="1"/><text:p>kept words</text:p></table:table-cell>`
  return openDocument(
    'spreadsheet',
    `<office:body><office:spreadsheet><table:table table:name="Sheet1"><table:table-row><table:table-cell office:value-type="string"><text:p>plain words</text:p></table:table-cell>${cell(`COM.MICROSOFT.WEBSERVICE("${web}/sheet-service")`)}${cell('DDE("soffice";"/tmp/x.ods";"a1")')}${cell(`'${web}/reference.ods'#$Sheet1.A1`)}${linked}</table:table-row></table:table></office:spreadsheet></office:body>`,
  )
}

/** A macro that starts with the document, writes into it and to a file, and ends the program. */
export function macroSheet(file: string): HostileFile {
  const basic = (name: string, inner: string) =>
    `<?xml version="1.0"?><!DOCTYPE library:${name} PUBLIC "-//OpenOffice.org//DTD OfficeDocument 1.0//EN" "x.dtd">${inner}`
  const library =
    'xmlns:library="http://openoffice.org/2000/library" xmlns:xlink="http://www.w3.org/1999/xlink"'
  const bytes = openDocument(
    'spreadsheet',
    `<office:scripts><office:event-listeners><script:event-listener script:language="ooo:script" script:event-name="dom:load" xlink:href="vnd.sun.star.script:Standard.Module1.Run?language=Basic&amp;location=document" xlink:type="simple"/></office:event-listeners></office:scripts><office:body><office:spreadsheet><table:table table:name="Sheet1"><table:table-row><table:table-cell office:value-type="string"><text:p>plain words</text:p></table:table-cell></table:table-row></table:table></office:spreadsheet></office:body>`,
    [
      {
        name: 'Basic/script-lc.xml',
        data: `<?xml version="1.0"?><!DOCTYPE library:libraries PUBLIC "-//OpenOffice.org//DTD OfficeDocument 1.0//EN" "libraries.dtd"><library:libraries ${library}><library:library library:name="Standard" library:link="false"/></library:libraries>`,
      },
      {
        name: 'Basic/Standard/script-lb.xml',
        data: basic(
          'library',
          `<library:library ${library} library:name="Standard" library:readonly="false" library:passwordprotected="false"><library:element library:name="Module1"/></library:library>`,
        ),
      },
      {
        name: 'Basic/Standard/Module1.xml',
        data: `<?xml version="1.0"?><!DOCTYPE script:module PUBLIC "-//OpenOffice.org//DTD OfficeDocument 1.0//EN" "module.dtd"><script:module xmlns:script="http://openoffice.org/2000/script" script:name="Module1" script:language="StarBasic">Sub Run
ThisComponent.Sheets(0).getCellByPosition(0, 0).String = &quot;MACRO RAN&quot;
Open &quot;${file}&quot; For Output As #1
Print #1, &quot;MACRO RAN&quot;
Close #1
StarDesktop.terminate()
End Sub
</script:module>`,
      },
    ],
  )
  return { name: 'macro.ods', bytes }
}
