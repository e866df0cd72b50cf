import { z } from 'zod'
import type { DocPath, RelativePath } from '../../words/doc-path.ts'
import type { Sha256 } from '../../words/hash.ts'
import { typed } from '../typed-text.ts'

/** Building blocks of the schemas. */
export function words() {
  const text = z.string()
  return {
    text,
    optional: text.optional(),
    texts: z.array(text),
    count: z.int().min(0),
    sha256: typed<Sha256>(text.regex(/^[0-9a-f]{64}$/)),
    place: { docPath: typed<DocPath>(text), path: typed<RelativePath>(text) },
  }
}
