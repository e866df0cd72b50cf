import type { CommandDeclaration } from './command.ts'

/**
 * One way in. It is declared in modules that import nothing heavy: the bin reads them at every start, and the code behind
 * a declaration is loaded when it is asked for.
 */
export interface Face {
  readonly commands?: readonly Load<CommandDeclaration | readonly CommandDeclaration[]>[]
}

/** An `import()` of the module that has it as its default. */
export type Load<Value> = () => Promise<{ readonly default: Value }>

export interface LoadedFaces {
  readonly commands: readonly CommandDeclaration[]
}

/** What all faces of a table declare, in its order. */
export async function loadFaces(table: readonly Load<Face>[]): Promise<LoadedFaces> {
  const faces = await loadAll(table)
  const commands = await loadAll(faces.flatMap(face => face.commands ?? []))
  return { commands: commands.flat() }
}

async function loadAll<Value>(loads: readonly Load<Value>[]): Promise<Value[]> {
  const modules = await Promise.all(loads.map(load => load()))
  return modules.map(module => module.default)
}
