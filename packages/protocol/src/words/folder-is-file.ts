/** A file is in the place of a required folder: reported when a new file is planned and when it is written. */
export function folderIsFile(folder: string): string {
  return `Nothing was written: the folder "${folder}" cannot be made, because a file has that name. Use another folder.`
}
