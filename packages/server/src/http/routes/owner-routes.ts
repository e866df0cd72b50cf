import {
  fail,
  type GivenBody,
  type ModelSettings,
  ok,
  type Result,
  type TriedModel,
} from '@filewright/protocol'
import type { RouteRequest, Routes } from '../route.ts'

/** What only the process that owns the state can do, for the person whose machine it is. */
export interface OwnerDesk {
  models(): Promise<ModelSettings>
  setModel(given: GivenBody<'setModel'>): Promise<Result<ModelSettings>>
  tryModel(model: string | undefined): Promise<TriedModel>
  /** A folder of this machine can be opened by its path. */
  readonly opensFolders: boolean
  /** Without a path: a new folder in the state folder. */
  openFolder(
    path: string | undefined,
  ): Promise<Result<{ readonly workspaceId: string; readonly name: string }>>
}

export interface OwnerRouteParts {
  /** Absent: this server has no settings of its own. */
  readonly desk?: OwnerDesk
}

/** Models and folders of the process that owns the state. */
export function createOwnerRoutes({
  desk,
}: OwnerRouteParts): Pick<Routes, 'models' | 'setModel' | 'tryModel' | 'openFolder'> {
  const owned =
    <Asked, Value>(act: (desk: OwnerDesk, request: Asked) => Promise<Result<Value>>) =>
    async (request: Asked): Promise<Result<Value>> => {
      if (!desk) return fail('NOT_FOUND', 'This server keeps no settings of its own.')
      return act(desk, request)
    }
  return {
    models: owned(async desk => ok(await desk.models())),
    setModel: owned((desk, { body }: RouteRequest<'setModel'>) => desk.setModel(body)),
    tryModel: owned(async (desk, { body }: RouteRequest<'tryModel'>) =>
      ok(await desk.tryModel(body.model)),
    ),
    openFolder: owned((desk, { body }: RouteRequest<'openFolder'>) => desk.openFolder(body.path)),
  }
}
