import { counted, fail, ok, type Reading, type Result } from '@filewright/protocol'
import type { Crop } from '../../../pictures/picture.ts'
import type { OpenPdf } from '../library/with-document.ts'
import { describePages } from '../page/page-range.ts'
import { withPage } from '../page/page-view.ts'
import { drawPage } from './page-content.ts'

export const MOST_PICTURES = 3 // of one read

/** The same part of each page as a picture, of a few pages at once. */
export function showPictures(
  pdf: OpenPdf,
  path: string,
  pages: readonly number[],
  crop: Crop,
): Result<Reading, 'UNREADABLE_FORMAT'> {
  const numbers = pages.slice(0, MOST_PICTURES)
  const drawn = numbers.map(page =>
    withPage(pdf, page, view => ({ picture: drawPage(view, crop) })),
  )
  const damaged = numbers.find((_, index) => !drawn[index])
  if (damaged !== undefined)
    return fail(
      'UNREADABLE_FORMAT',
      `Cannot read page ${damaged} of "${path}": the file is damaged there.`,
    )
  const sides = [crop.left, crop.top, crop.right, crop.bottom]
  const what = isWhole(crop) ? '' : `a part (${sides.join(', ')}) of `
  const texts = drawn.map((own, index) =>
    own!.picture
      ? `${what}page ${numbers[index]} as a picture of ${own!.picture.width} × ${own!.picture.height} pixels`
      : `Page ${numbers[index]} cannot be drawn on this computer: read its text without crop.`,
  )
  const pictures = drawn.flatMap(own => own!.picture ?? [])
  const rest = pages.slice(MOST_PICTURES)
  const next = { pages: describePages(rest), crop: sides }
  const shown = `${numbers.length === 1 ? 'page' : 'pages'} ${describePages(numbers)}`
  return ok({
    text: [
      `${path} · ${shown} of ${pdf.pageCount}`,
      ...texts,
      ...(rest.length > 0 ? [`… continue with pages ${JSON.stringify(next.pages)}`] : []),
    ].join('\n'),
    fields: {
      pageCount: pdf.pageCount,
      pages: numbers.map((page, index) => ({
        page,
        crop: sides,
        ...(drawn[index]!.picture && {
          width: drawn[index]!.picture!.width,
          height: drawn[index]!.picture!.height,
        }),
      })),
    },
    shown: isWhole(crop) ? shown : `a part of ${shown}`,
    total: counted(pdf.pageCount, 'page'),
    ...(rest.length > 0 && { next }),
    ...(pictures.length > 0 && { pictures }),
  })
}

function isWhole({ left, top, right, bottom }: Crop): boolean {
  return left === 0 && top === 0 && right === 1 && bottom === 1
}
