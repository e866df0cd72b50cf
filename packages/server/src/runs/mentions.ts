const MENTION = /(?<![\w@/.-])@(?:"([^"\n]+)"|([^\s"'`<>|*?;,!(){}[\]]+))/gu
const MOST_MENTIONS = 20

/** The paths that a person mentions as `@path` or `@"a path.txt"`, without the punctuation that ends a sentence. */
export function mentionsIn(text: string): readonly string[] {
  const found = [...text.matchAll(MENTION)].map(
    ([, quoted, bare]) => quoted ?? bare!.replace(/(?<![.:])[.:]+$/, ''),
  )
  return [...new Set(found.filter(path => path !== ''))].slice(0, MOST_MENTIONS)
}
