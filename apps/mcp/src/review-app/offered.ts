import { type OwnTools, withoutReview } from '../work/offer.ts'
import { publishDraft, reviewDraft } from '../work/own-tools.ts'
import { REVIEW_ADDRESS } from './app-host.ts'
import { appTools } from './app-tools.ts'

const shown = { ui: { resourceUri: REVIEW_ADDRESS } }
const framesOwn = { ui: { resourceUri: REVIEW_ADDRESS, visibility: ['app'] } }

/** For a host that shows the review: with the tools of its frame, which the model is not offered. */
export const withReview: OwnTools = {
  id: 'review',
  tools: [...withoutReview.tools, ...appTools],
  meta: {
    [reviewDraft.name]: shown,
    [publishDraft.name]: shown,
    ...Object.fromEntries(appTools.map(({ name }) => [name, framesOwn])),
  },
}
