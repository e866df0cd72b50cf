import { parseSync } from 'vite'
import { oncePerText, type Source } from './sources.ts'

/**
 * A name that two modules export as a type: a reader cannot know which is meant. What is generated from a declaration, for
 * those who have no package of ours, says the same under the same name.
 */
export function nameFaults(sources: Source[]): string[] {
  const places = new Map<string, string[]>()
  const written = sources.filter(({ path }) => !path.includes('.golden.'))
  for (const { path, text } of written)
    for (const name of typesOf(path, text)) places.set(name, [...(places.get(name) ?? []), path])
  return [...places]
    .filter(([, paths]) => paths.length > 1)
    .map(
      ([name, paths]) =>
        `${name} is declared in ${paths.join(' and ')}: one name means one type (STYLE, Names).`,
    )
}

const TYPES = new Set([
  'TSInterfaceDeclaration',
  'TSTypeAliasDeclaration',
  'TSEnumDeclaration',
  'ClassDeclaration',
])

const typesOf = oncePerText(exportedTypes)

/** Only types declared there; a re-exported type is declared elsewhere. */
function exportedTypes(path: string, text: string): string[] {
  return parseSync(path, text).program.body.flatMap(statement => {
    const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : null
    return declared &&
      TYPES.has(declared.type) &&
      'id' in declared &&
      declared.id?.type === 'Identifier'
      ? [declared.id.name]
      : []
  })
}
