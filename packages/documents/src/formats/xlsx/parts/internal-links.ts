import {
  attribute,
  children,
  encodeAttribute,
  type OpcPackage,
  Splices,
  type XmlEncoding,
} from '../../../opc/index.ts'

/**
 * The relationships of a part with links into the workbook itself, as shapes and pictures have: `#'My%20data'!A1`.
 * Undefined when none changes. A link to a deleted sheet stays unchanged.
 */
export function rewriteLinks(
  own: OpcPackage,
  name: string,
  rewrite: (formula: string) => string,
): { readonly bytes: Uint8Array; readonly encoding: XmlEncoding } | undefined {
  const document = own.xml(name)
  if (!document.ok) return undefined
  const { root, bytes, encoding } = document.value
  const splices = new Splices()
  for (const element of children(root, 'Relationship')) {
    const target = element.attributes.find(({ name: local }) => local === 'Target')
    if (!target?.value.startsWith('#') || !attribute(element, 'Type')?.endsWith('/hyperlink'))
      continue
    const isPlain = target.value.includes(' ')
    const before = isPlain ? target.value.slice(1) : decode(target.value.slice(1))
    const after = rewrite(before)
    if (after === before || after.includes('#REF!')) continue
    const written = isPlain ? after : after.replaceAll('%', '%25').replaceAll(' ', '%20')
    splices.replace(
      target.valueStart,
      target.valueEnd,
      encodeAttribute(`#${written}`).replaceAll("'", '&apos;'),
    )
  }
  return splices.size > 0 ? { bytes: splices.apply(bytes), encoding } : undefined
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
