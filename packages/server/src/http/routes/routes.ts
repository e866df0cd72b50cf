import type { Routes } from '../route.ts'
import { type BlobRouteParts, createBlobRoutes } from './blob-routes.ts'
import { type CallRouteParts, createCallRoutes } from './call-routes.ts'
import { type ContentRouteParts, createContentRoutes } from './content-routes.ts'
import { createDraftRoutes, type DraftRouteParts } from './draft-routes.ts'
import { createFileRoutes, type FileRouteParts } from './file-routes.ts'
import { createHostedRoutes, type HostedRouteParts } from './hosted-routes.ts'
import { createLinkRoutes, type LinkRouteParts } from './link-routes.ts'
import { createLogRoutes, type LogRouteParts } from './log-routes.ts'
import { createOwnerRoutes, type OwnerRouteParts } from './owner-routes.ts'
import { createSessionRoutes, type SessionRouteParts } from './session-routes.ts'
import { createWithin, type WithinParts } from './within.ts'
import { createWorkspaceRoutes, type WorkspaceRouteParts } from './workspace-routes.ts'

/** What the routes work with. */
export type RouteParts = WithinParts &
  WorkspaceRouteParts &
  FileRouteParts &
  BlobRouteParts &
  LinkRouteParts &
  SessionRouteParts &
  CallRouteParts &
  DraftRouteParts &
  LogRouteParts &
  ContentRouteParts &
  OwnerRouteParts &
  HostedRouteParts

export function createRoutes(parts: RouteParts): Routes {
  const within = createWithin(parts)
  return {
    ...createWorkspaceRoutes(parts),
    ...createFileRoutes(parts, within),
    ...createBlobRoutes(parts, within),
    ...createLinkRoutes(parts, within),
    ...createSessionRoutes(parts, within),
    ...createCallRoutes(parts, within),
    ...createLogRoutes(parts, within),
    ...createDraftRoutes(parts, within),
    ...createContentRoutes(parts, within),
    ...createOwnerRoutes(parts),
    ...createHostedRoutes(parts),
  }
}
