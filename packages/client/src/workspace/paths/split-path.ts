/** `a/b/c` → [`a/b`, `c`]; a bare name is in the root, ''. */
export function splitPath(path: string): [folder: string, name: string] {
  const slash = path.lastIndexOf('/')
  return slash < 0 ? ['', path] : [path.slice(0, slash), path.slice(slash + 1)]
}
