import type { Context, ViewElement } from '../context';
import { element, once } from '../dom';
import { visible } from '../text';

/** What is shown before anything has run: what this is, questions to click, and how to connect a model. */
export class Welcome implements ViewElement {
  readonly node = element('section', { class: 'welcome' });

  constructor(private readonly context: Context) {}

  update(): void {
    const { model } = this.context;
    const { samples, modelConnected, hasKey, trusted, modelLabel } = model.settings;
    this.node.hidden = model.state !== 'idle';
    if (model.state !== 'idle') return;
    const shows = JSON.stringify([samples, modelConnected, hasKey, trusted, modelLabel]);
    once(this.node, shows, () => this.show());
  }

  private show(): Node[] {
    const { words, model } = this.context;
    const { samples, trusted } = model.settings;
    const steps = [
      [words.t('Thought'), words.t('what to find out next')],
      [words.t('Action'), words.t('a search, a look-up, a calculation')],
      [words.t('Observation'), words.t('what the source says, word for word')],
    ] as const;
    const nodes: Node[] = [
      element('h1', {}, words.t('Research in the open')),
      element('p', {}, words.t('Ask a question and watch every step that leads to an answer with sources.')),
      element(
        'ol',
        { class: 'loop' },
        ...steps.map(([name, text]) => element('li', {}, element('b', {}, name), ` ${text}`)),
      ),
    ];
    if (samples.length > 0) {
      const ask = (question: string) => () => this.context.ask(question);
      nodes.push(
        element('h2', {}, words.t('Try one of these')),
        element(
          'ul',
          { class: 'samples' },
          ...samples.map((question) =>
            element(
              'li',
              {},
              element('button', { attributes: { dir: 'auto' }, click: ask(question) }, visible(question)),
            ),
          ),
        ),
      );
    }
    if (!trusted) {
      nodes.push(
        element(
          'p',
          { class: 'notice quiet' },
          words.t('Restricted mode: settings of this folder that name endpoints are not used.'),
        ),
      );
    }
    return [
      ...nodes,
      ...this.answering(),
      element(
        'p',
        { class: 'muted' },
        words.t('No telemetry: questions go only to the model and the sources you choose.'),
      ),
    ];
  }

  private answering(): Node[] {
    const { words, model, send } = this.context;
    const { modelConnected, modelLabel, hasKey } = model.settings;
    const button = (label: string, id: 'select-model' | 'set-key') =>
      element('button', { class: 'button', click: () => send({ type: 'command', id }) }, label);
    const nodes: Node[] = [
      element('h2', {}, words.t('Who answers')),
      element('p', { attributes: { dir: 'auto' } }, visible(modelLabel)),
    ];
    const buttons = [
      ...(modelConnected && !hasKey ? [button(words.t('Set API key'), 'set-key')] : []),
      button(modelConnected ? words.t('Select model') : words.t('Connect a model'), 'select-model'),
    ];
    nodes.push(element('div', { class: 'buttons' }, ...buttons));
    return nodes;
  }
}
