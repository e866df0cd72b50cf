// An S3 server on loopback. Arguments: the package of s3rver, its folder. Says where it listens, and takes
// messages: {refuse: 0.2} answers that part of the requests with 503.
import { createServer } from 'node:http'
import { createRequire } from 'node:module'

const [library, directory] = process.argv.slice(2)
const S3rver = createRequire(import.meta.url)(library)
const s3 = new S3rver({
  directory,
  silent: true,
  address: '127.0.0.1',
  port: 0,
  configureBuckets: [{ name: 'filewright' }],
})
let refused = 0
process.on('message', ({ refuse }) => {
  refused = refuse
})
process.on('disconnect', () => process.exit())

await s3.configureBuckets()
const answer = s3.callback()
const server = createServer((request, response) => {
  if (Math.random() >= refused) return answer(request, response)
  request.resume()
  response.writeHead(503, { 'retry-after': '0' }).end('<Error><Code>SlowDown</Code></Error>')
})
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }))
