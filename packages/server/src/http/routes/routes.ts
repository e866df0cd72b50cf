import type { Routes } from '../route.ts'
import { type BlobRouteParts, createBlobRoutes } from './blob-routes.ts'
import { type CallRouteParts, createCallRoutes } from './call-routes.ts'
import { type ContentRouteParts, createContentRoutes } from './content-routes.ts'
import {
  createDecisionRoutes,
  type DecisionRouteParts,
  recordDecisions,
} from './decision-routes.ts'
import { createDraftRoutes, type DraftRouteParts } from './draft-routes.ts'
import { createFileRoutes, type FileRouteParts } from './file-routes.ts'
import { createHostedRoutes, type HostedRouteParts } from './hosted-routes.ts'
import { createLinkRoutes, type LinkRouteParts } from './link-routes.ts'
import { createLogRoutes, type LogRouteParts } from './log-routes.ts'
import { createOwnerRoutes, type OwnerRouteParts } from './owner-routes.ts'
import { createSessionRoutes, type SessionRouteParts } from './session-routes.ts'
import { createTokenRoutes, type TokenRouteParts } from './token-routes.ts'
import { createWithin, type WithinParts } from './within.ts'
import { createWorkspaceEvents } from './workspace-events.ts'
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
  TokenRouteParts &
  DecisionRouteParts &
  HostedRouteParts

export function createRoutes(parts: RouteParts): Routes {
  const within = createWithin(parts)
  const viewers = createWorkspaceEvents(parts.leaving)
  const routes = {
    ...createWorkspaceRoutes(parts),
    ...createFileRoutes(parts, within),
    ...createBlobRoutes(parts, within),
    ...createLinkRoutes(parts, within, viewers),
    ...createSessionRoutes(parts, within),
    ...createCallRoutes(parts, within),
    ...createLogRoutes(parts, within),
    ...createDraftRoutes(parts, within),
    ...createContentRoutes(parts, within),
    ...createOwnerRoutes(parts),
    ...createTokenRoutes(parts),
    ...createDecisionRoutes(parts),
    ...createHostedRoutes(parts, viewers),
  }
  return recordDecisions(routes, parts)
}
