import { counted, type ImageName } from '@filewright/protocol'
import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from 'react'
import type { Api } from '../api.ts'

/** The bytes of a picture; undefined where they are gone. */
type LoadPicture = (image: ImageName) => Promise<Blob | undefined>

const Pictures = createContext<LoadPicture>(async () => undefined)

interface Source {
  readonly api: Api
  readonly workspaceId: string
  readonly children: ReactNode
}

/** Where the pictures within are loaded from. */
export function PictureSource({ api, workspaceId, children }: Source) {
  const load = useCallback<LoadPicture>(
    async ({ sha256, mediaType }) =>
      (await api.bytes(workspaceId, sha256))?.slice(0, undefined, mediaType),
    [api, workspaceId],
  )
  return <Pictures value={load}>{children}</Pictures>
}

/** What a tool showed to the model, for the person too: loaded when they open it. */
export function CallPictures({ images }: { images: readonly ImageName[] }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="cursor-pointer">{counted(images.length, 'picture')}</summary>
      {isOpen &&
        images.map((image, index) => (
          <ShownPicture key={image.sha256} image={image} name={`Picture ${index + 1}`} />
        ))}
    </details>
  )
}

function ShownPicture({ image, name }: { image: ImageName; name: string }) {
  const load = useContext(Pictures)
  const [address, setAddress] = useState<string>()
  const [isGone, setGone] = useState(false)

  useEffect(() => {
    let made: string | undefined
    let isLeft = false
    load(image).then(bytes => {
      if (isLeft) return
      made = bytes && URL.createObjectURL(bytes)
      setAddress(made)
      setGone(made === undefined)
    })
    return () => {
      isLeft = true
      if (made !== undefined) URL.revokeObjectURL(made)
    }
  }, [image, load])

  if (isGone) return <p>{name} is no longer kept.</p>
  return address ? (
    <img src={address} alt={name} className="mt-2 max-w-full rounded-sm border border-line" />
  ) : (
    <p>Loading {name.toLowerCase()} …</p>
  )
}
