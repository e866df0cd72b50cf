/** 1 × 1, red. */
export const PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='
/** A WAV header without a sample. */
export const AUDIO = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA='

export const resources = [
  { uri: 'test://static-text', name: 'Static text', mimeType: 'text/plain' },
  { uri: 'test://static-binary', name: 'Static binary', mimeType: 'image/png' },
  { uri: 'test://watched-resource', name: 'Watched', mimeType: 'text/plain' },
]

export function contents(uri: string) {
  const [, id] = /^test:\/\/template\/(.+)\/data$/.exec(uri) ?? []
  if (id !== undefined)
    return {
      uri,
      mimeType: 'application/json',
      text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
    }
  const listed = resources.find(resource => resource.uri === uri)
  if (!listed) return undefined
  const { mimeType } = listed
  if (mimeType === 'image/png') return { uri, mimeType, blob: PICTURE }
  return { uri, mimeType, text: `This is the content of ${uri}.` }
}

type Given = Readonly<Record<string, string>>

const user = <Content>(content: Content) => ({ role: 'user' as const, content })
const words = (text: string) => user({ type: 'text' as const, text })
const argument = (name: string) => ({ name, description: name, required: true })

export const prompts = [
  {
    name: 'test_simple_prompt',
    arguments: [],
    messages: () => [words('This is a simple prompt for testing.')],
  },
  {
    name: 'test_prompt_with_arguments',
    arguments: [argument('arg1'), argument('arg2')],
    messages: ({ arg1, arg2 }: Given) => [
      words(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`),
    ],
  },
  {
    name: 'test_prompt_with_embedded_resource',
    arguments: [argument('resourceUri')],
    messages: ({ resourceUri: uri }: Given) => [
      user({ type: 'resource', resource: { uri, mimeType: 'text/plain', text: 'Embedded.' } }),
      words('Please process the embedded resource above.'),
    ],
  },
  {
    name: 'test_prompt_with_image',
    arguments: [],
    messages: () => [
      user({ type: 'image', data: PICTURE, mimeType: 'image/png' }),
      words('Please analyze the image above.'),
    ],
  },
  { name: 'test_input_required_result_prompt', arguments: [], messages: () => [] },
]
