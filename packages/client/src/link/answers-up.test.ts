import { createRouteClient, type LinkAnswer, type LinkRequest, ok } from '@filewright/protocol'
import { expect, test } from 'vitest'
import { createAnswersUp } from './answers-up.ts'

const request = (id: string) => ({ id, method: 'rule-list', params: {} }) as LinkRequest

/** A server that may be away, what was posted to it, and how often each request was worked on. */
function wayUp() {
  const way = { isAway: false, posts: [] as LinkAnswer[][], worked: [] as string[] }
  const server = createRouteClient({
    async fetch(post) {
      if (way.isAway) throw new TypeError('fetch failed')
      way.posts.push(((await post.json()) as { answers: LinkAnswer[] }).answers)
      return Response.json(null)
    },
    origin: 'http://server.local',
    token: 't',
  })
  const up = createAnswersUp({
    server,
    workspaceId: 'ws_1',
    async answer({ id }) {
      way.worked.push(id)
      return ok(`answer to ${id}`)
    },
    onError: () => {},
  })
  return { way, up }
}

const answerTo = (id: string) => ({ id, result: ok(`answer to ${id}`) })

test('a repeated request gets the same answer, and does not run again', async () => {
  const { way, up } = wayUp()
  await Promise.all([up.take(request('q1')), up.take(request('q1'))])
  await up.take(request('q1'))
  expect(way.worked).toEqual(['q1'])
  expect(way.posts).toEqual([[answerTo('q1')], [answerTo('q1')]])
})

test('answers that the server missed are sent together once it is back', async () => {
  const { way, up } = wayUp()
  way.isAway = true
  await expect(up.take(request('q1'))).rejects.toThrow('fetch failed')
  await expect(up.take(request('q2'))).rejects.toThrow('fetch failed')
  way.isAway = false
  await up.post()
  expect(way.posts).toEqual([[answerTo('q1'), answerTo('q2')]])
})
