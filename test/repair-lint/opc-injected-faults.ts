import type { InjectedFault } from './injected-fault.ts'

const TYPES = '[Content_Types].xml'
const LINKS = 'word/_rels/document.xml.rels'
const BODY = 'word/document.xml'
const PNG = '<Default Extension="png" ContentType="image/png"/>'

export const OPC_FAULTS: readonly InjectedFault[] = [
  {
    rule: 'opc/part-without-type',
    part: TYPES,
    damage: xml => xml.replace(PNG, ''),
    also: ['opc/link-and-type-disagree'],
  },
  {
    rule: 'opc/type-without-part',
    part: TYPES,
    damage: xml =>
      xml.replace(
        '</Types>',
        '<Override PartName="/word/gone.xml" ContentType="application/xml"/></Types>',
      ),
  },
  { rule: 'opc/type-twice', part: TYPES, damage: xml => xml.replace(PNG, PNG + PNG) },
  {
    rule: 'opc/type-twice',
    part: TYPES,
    damage: xml => xml.replace(/<Override PartName="\/word\/header1[^>]*>/, '$&$&'),
  },
  { rule: 'opc/link-to-missing-part', part: 'word/media/image1.png' },
  { rule: 'opc/link-id-twice', part: LINKS, damage: xml => xml.replace('"rId1"', '"rId31"') },
  {
    rule: 'opc/links-of-missing-part',
    part: 'word/_rels/gone.xml.rels',
    damage: () =>
      '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"/>',
  },
  {
    rule: 'opc/links-not-declared',
    part: TYPES,
    damage: xml => xml.replace('vnd.openxmlformats-package.relationships+xml', 'xml'),
  },
  {
    rule: 'opc/part-without-link',
    part: 'word/media/image2.png',
    damage: () => 'png',
  },
  {
    rule: 'opc/reference-without-link',
    part: BODY,
    damage: xml => xml.replace('r:embed="rId31"', 'r:embed="rId77"'),
  },
  {
    rule: 'opc/link-and-type-disagree',
    part: TYPES,
    damage: xml => xml.replace('header+xml', 'footer+xml'),
  },
  {
    rule: 'opc/not-well-formed',
    part: 'word/styles.xml',
    damage: xml => xml.slice(0, -9),
    also: ['docx/style-missing'],
  },
  {
    rule: 'opc/prefix-not-declared',
    part: BODY,
    damage: xml => xml.replace('mc:Ignorable="wps"', 'mc:Ignorable="wps w14"'),
  },
  {
    rule: 'opc/prefix-not-declared',
    part: BODY,
    damage: xml =>
      xml.replace('<w:t xml:space="preserve">marked', '<w:t q:x="1" xml:space="preserve">marked'),
  },
  {
    rule: 'opc/not-well-formed',
    part: BODY,
    damage: xml => xml.replace('>marked<', '>mar&#x1;ked<'),
  },
  {
    rule: 'opc/name-not-allowed',
    part: 'word/media/image.',
    damage: () => 'x',
    also: ['opc/part-without-type', 'opc/part-without-link'],
  },
]
