import { fail, ok, type Result } from '@filewright/protocol'
import type { BucketPlace } from './bucket.ts'

/** What the environment says of Amazon's services. */
export interface BucketKeys {
  readonly region?: string
  readonly accessKeyId?: string
  readonly secretAccessKey?: string
  readonly sessionToken?: string
  /** A service other than Amazon's. */
  readonly endpoint?: string
}

/** `s3://bucket/prefix`, with `?endpoint=` and `?region=` before what the environment says. */
export function parseBucketAddress(
  address: string,
  keys: BucketKeys,
): Result<BucketPlace, 'INVALID_ARGUMENT'> {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url?.protocol !== 's3:' || !url.hostname)
    return invalid(
      `${JSON.stringify(address)} is no address of a bucket. Write s3://BUCKET or s3://BUCKET/PREFIX.`,
    )
  const { accessKeyId, secretAccessKey, sessionToken } = keys
  if (!accessKeyId || !secretAccessKey)
    return invalid(
      'There is no key for the bucket. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
    )
  const region = url.searchParams.get('region') ?? keys.region ?? 'us-east-1'
  const endpoint = url.searchParams.get('endpoint') ?? keys.endpoint
  if (endpoint !== undefined && !/^https?:\/\//.test(endpoint))
    return invalid(
      `The endpoint of the bucket, ${JSON.stringify(endpoint)}, does not begin with http:// or https://.`,
    )
  const path = url.pathname.replace(/^\/+|\/+$/g, '')
  const service = endpoint?.replace(/\/+$/, '')
  const bucket = service
    ? `${service}/${url.hostname}`
    : `https://${url.hostname}.s3.${region}.amazonaws.com`
  return ok({
    url: path ? `${bucket}/${path}` : bucket,
    region,
    accessKeyId,
    secretAccessKey,
    ...(sessionToken && { sessionToken }),
  })
}

function invalid(reason: string) {
  return fail('INVALID_ARGUMENT', `Cannot use FILEWRIGHT_BLOBS: ${reason}`)
}
