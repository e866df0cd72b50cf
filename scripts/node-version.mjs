/** Syntax that every Node can parse, so that an old one gets the sentence and not a SyntaxError. */
export function refuseOldNode() {
  const parts = process.versions.node.split('.')
  const major = Number(parts[0])
  if (major > 20 || (major === 20 && Number(parts[1]) >= 19)) return
  console.error(`Filewright needs Node 20.19 or newer, and this is Node ${process.versions.node}.`)
  process.exit(1)
}
