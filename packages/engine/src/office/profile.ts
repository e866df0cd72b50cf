type Value = boolean | number
type Setting = readonly [path: string, name: string, value: Value]

/**
 * What the throwaway profile says. None of it is what keeps a document in: the box does that. It spares the time that
 * LibreOffice would wait for what it cannot reach, and keeps macros from running even where they could do no harm.
 */
const SETTINGS: readonly Setting[] = [
  ['Common/Security/Scripting', 'DisableMacrosExecution', true],
  ['Common/Security/Scripting', 'MacroSecurityLevel', 3], // only signed macros of trusted places, and no place is trusted
  ['Common/Security/Scripting', 'DisableActiveContent', true],
  ['Common/Security/Scripting', 'BlockUntrustedRefererLinks', true],
  ['Common/Misc', 'UseOpenCL', false],
  ['Writer/Content/Update', 'Link', 0], // never
  ['Calc/Content/Update', 'Link', 2], // never
  ['Java/VirtualMachine', 'Enable', false],
]

/** The file `registrymodifications.xcu` of a profile. */
export function profileXml(): string {
  const items = SETTINGS.map(
    ([path, name, value]) =>
      `<item oor:path="/org.openoffice.Office.${path}"><prop oor:name="${name}" oor:op="fuse"><value>${value}</value></prop></item>`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
${items.join('\n')}
</oor:items>
`
}
