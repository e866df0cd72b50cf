import { visible } from '@filewright/protocol'
import { useEffect, useState } from 'react'
import { imageType } from './preview-of.ts'

/** As a picture alone: a script in an svg does not run, and it loads nothing. */
export function ImagePreview({ path, bytes }: { path: string; bytes: Uint8Array<ArrayBuffer> }) {
  const [url, setUrl] = useState<string>()
  const [size, setSize] = useState<string>()
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([bytes], { type: imageType(path) }))
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [bytes, path])
  return (
    <div className="scrolls flex min-h-0 flex-1 flex-col items-center gap-2 bg-sunken p-4">
      {url && (
        <img
          src={url}
          alt={visible(path)}
          className="max-w-full rounded-sm bg-card shadow-float"
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
            setSize(`${naturalWidth} × ${naturalHeight} pixels`)
          }
          onError={() => setSize('This picture cannot be shown.')}
        />
      )}
      <p className="text-xs text-muted">{size}</p>
    </div>
  )
}
