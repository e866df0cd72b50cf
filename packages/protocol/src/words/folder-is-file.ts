/** A file stands where a folder would have to be: told by who plans a new file, and by who writes it. */
export function folderIsFile(folder: string): string {
  return `Nothing was written: the folder "${folder}" cannot be made, because a file has that name. Use another folder.`
}
