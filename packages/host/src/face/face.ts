import { type FaceRoute, isAtOrBelow } from '../owner/face-routes.ts'
import type { CommandDeclaration } from './command.ts'

/**
 * One way in. It is declared in modules that import nothing heavy: the bin reads them at every start, and the code behind
 * a declaration is loaded when it is asked for.
 */
export interface Face {
  /** The name of the bin. */
  readonly commands?: readonly Load<CommandDeclaration | readonly CommandDeclaration[]>[]
  /** On the owner's server, behind its guard. */
  readonly routes?: readonly FaceRoute[]
}

/** An `import()` of the module that has it as its default. */
export type Load<Value> = () => Promise<{ readonly default: Value }>

export interface LoadedFaces {
  readonly commands: readonly CommandDeclaration[]
  readonly routes: readonly FaceRoute[]
}

/** What all faces of a table declare, in its order. */
export async function loadFaces(table: readonly Load<Face>[]): Promise<LoadedFaces> {
  const faces = await loadAll(table)
  const commands = await loadAll(faces.flatMap(face => face.commands ?? []))
  return { commands: commands.flat(), routes: distinct(faces.flatMap(face => face.routes ?? [])) }
}

/** Otherwise the first one mounted would answer for both. */
function distinct(routes: readonly FaceRoute[]): readonly FaceRoute[] {
  const taken = ['/api']
  for (const { path } of routes) {
    if (taken.some(other => isAtOrBelow(path, other) || isAtOrBelow(other, path)))
      throw new Error(`Two faces cannot share ${path}`)
    taken.push(path)
  }
  return routes
}

async function loadAll<Value>(loads: readonly Load<Value>[]): Promise<Value[]> {
  const modules = await Promise.all(loads.map(load => load()))
  return modules.map(module => module.default)
}
