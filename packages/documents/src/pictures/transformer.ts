import type { Transformer } from '@napi-rs/image'

type Library = { readonly Transformer: typeof Transformer }

let library: Library | undefined

/** The library has a binary for each platform; where there is none, files are read without pictures. */
export async function startPictures(): Promise<void> {
  if (library) return
  try {
    library = await import('@napi-rs/image')
  } catch {
    library = undefined
  }
}

/** Undefined where no picture can be made. */
export function takeTransformer(): Library['Transformer'] | undefined {
  return library?.Transformer
}
