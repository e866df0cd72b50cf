/** A file of the person's own, and where in the workspace it goes. */
export interface GivenFile {
  readonly path: string
  readonly file: File
}

export function givenFiles(files: Iterable<File>): GivenFile[] {
  return Array.from(files, file => ({ path: file.name, file }))
}

/** What was dropped; a folder brings everything that is in it. */
export async function droppedFiles(data: DataTransfer): Promise<GivenFile[]> {
  // an entry is there only while the event is handled
  const entries = Array.from(data.items, item => item.webkitGetAsEntry())
  if (!entries.some(entry => entry?.isDirectory)) return givenFiles(data.files)
  const found = await Promise.all(entries.map(entry => (entry ? filesBelow(entry) : [])))
  return found.flat()
}

async function filesBelow(entry: FileSystemEntry): Promise<GivenFile[]> {
  const path = entry.fullPath.replace(/^\//, '')
  if (isFile(entry))
    return [{ path, file: await new Promise((give, fail) => entry.file(give, fail)) }]
  const below: GivenFile[] = []
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  for (;;) {
    // a reader gives a hundred at once, and none at the end
    const entries = await new Promise<FileSystemEntry[]>((give, fail) =>
      reader.readEntries(give, fail),
    )
    if (entries.length === 0) return below
    for (const each of entries) below.push(...(await filesBelow(each)))
  }
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile
}
