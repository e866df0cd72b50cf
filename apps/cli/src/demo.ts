import type { Script } from '@filewright/loop'

/** With no key at all the product runs: a script that says it is one, working on the sample through the real tools. */
export const demoScript: Script = {
  notice:
    'This is a scripted demonstration, not a model: it plays the same steps whatever you write. Set FILEWRIGHT_MODEL to use a real one.',
  delayMs: 15,
  answers: [
    {
      text: 'First I look at which files there are.',
      calls: [{ name: 'list_files', arguments: '{}' }],
    },
    {
      text: 'I write a short note about them into the draft.',
      calls: [
        {
          name: 'write_text_file',
          arguments: JSON.stringify({
            path: 'demo-note.md',
            content:
              '# A note from the demonstration\n\nThis file stands in a draft. It reaches the folder only when you publish it.\n',
          }),
        },
      ],
    },
    {
      text: 'Done: the note waits in the draft. Look at it on the page or with "filewright review", and publish or discard it.',
      calls: [],
    },
  ],
}
