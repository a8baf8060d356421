import type OpenAI from 'openai';

/**
 * The smallest loop over the bare `openai` client that still streams, sends `stop`, reads one action a reply and asks for
 * usage: the floor that ours is measured against.
 */
export async function bareLoop(
  client: OpenAI,
  manual: string,
  question: string,
  tool: (input: string) => Promise<string>,
  steps: number,
): Promise<string | undefined> {
  const messages: OpenAI.ChatCompletionMessageParam[] = [
    { role: 'system', content: manual },
    { role: 'user', content: question },
  ];
  for (let step = 1; step <= steps; step++) {
    const stream = await client.chat.completions.create({
      model: 'm',
      messages,
      stream: true,
      stream_options: { include_usage: true },
      temperature: 0,
      max_tokens: 1024,
      stop: ['\nObservation'],
    });
    let text = '';
    for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? '';
    const [, name, input = ''] = /Action \d+: (\w+)\[(.*)\]/.exec(text) ?? [];
    if (name === 'Finish') return input;
    const observation = await tool(input);
    messages.push(
      { role: 'assistant', content: text },
      { role: 'user', content: `Observation ${step}: ${observation}` },
    );
  }
  return undefined;
}
