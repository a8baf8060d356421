import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Observation } from '../../src/agent/event';
import { foldAll } from '../../src/agent/trace';
import { MASK, PatternError, redact } from '../../src/traces/redact';
import { cpuTime } from '../support/cpuTime';
import { answered } from '../support/viewHarnessStory';

const home = '/srv/people/anna';
const clean = (text: string, patterns: string[] = []) => redact(text, { home, patterns });

describe('redaction', () => {
  const SECRETS: readonly [name: string, text: string, secret: string][] = [
    ['an OpenAI key', 'my key sk-proj-Ab12Cd34Ef56Gh78 works', 'sk-proj-Ab12Cd34Ef56Gh78'],
    ['a GitHub token', 'ghp_16CharsOrMore12345', 'ghp_16CharsOrMore12345'],
    ['a Google key', `AIza${'x1'.repeat(18)}`, 'x1x1x1'],
    ['an AWS key', 'AKIAIOSFODNN7EXAMPLE', 'AKIAIOSFODNN7EXAMPLE'],
    ['a JSON Web Token', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln', 'eyJhbGciOiJIUzI1NiJ9'],
    ['an authorization header', 'authorization: Bearer abc.def-ghi', 'abc.def'],
    ['a header in JSON', '{"Authorization":"Basic YTpiYmJiYg=="}', 'YTpiYmJiYg'],
    ['a header in JSON in JSON', '{\\"x-api-key\\": \\"plainvalue\\"}', 'plainvalue'],
    ['a cookie', 'Cookie: session=abcdef; theme=dark', 'abcdef'],
    ['a bearer token alone', 'curl -H Bearer 0123456789abcdef0', '0123456789abcdef0'],
    ['a password assigned', 'password = hunter22', 'hunter22'],
    ['a client secret', "client_secret: 'aB3xY9'", 'aB3xY9'],
    ['credentials in an address', 'https://user:pass@host.example/x', 'user:pass'],
    ['a key in an address', 'https://host.example/x?api=1&key=abc123&page=2', 'abc123'],
    ['a signed address', 'https://host.example/x?X-Amz-Signature=deadbeef', 'deadbeef'],
    ['a private key', '-----BEGIN RSA PRIVATE KEY-----\nMIIabc\n-----END RSA PRIVATE KEY-----', 'MIIabc'],
    ['a private key cut off', '-----BEGIN PRIVATE KEY-----\nMIIabc', 'MIIabc'],
    ['a Linux home', 'see /home/anna/notes.md', 'anna'],
    ['a macOS home', 'open /Users/anna/notes.md', 'anna'],
    ['a Windows home', 'C:\\Users\\Anna Berg\\notes.md', 'Anna'],
    ['a Windows home in JSON', '"C:\\\\Users\\\\anna\\\\x"', 'anna'],
    ['a home as an address', 'file:///home/anna/x', 'anna'],
    ['this computer’s home', `${home}/x and ${home}`, 'people'],
  ];
  for (const [name, text, secret] of SECRETS) {
    it(`takes out ${name}`, () => {
      const result = clean(text);
      assert(!result.includes(secret), result);
      assert.equal(clean(result), result, 'once is enough');
    });
  }

  it('leaves prose and addresses alone', () => {
    for (const text of [
      'The token economy: a password is a secret word. Basic research needs bearers.',
      'https://en.wikipedia.org/wiki/Key_(cryptography)?action=history&offset=20',
      'https://host.example/home/about and https://host.example/Users/list',
      'The population of China in 2024 was 1,408,280,000.',
      'risk-averse sk-learn hf-radio key-value-store',
      '他的主目录是一个秘密。',
    ]) {
      assert.equal(clean(text), text);
    }
  });

  it('keeps what is worth reading around a secret', () => {
    assert.equal(
      clean('GET /x\nAuthorization: Bearer abc\nAccept: */*'),
      `GET /x\nAuthorization: Bearer ${MASK}\nAccept: */*`,
    );
    assert.equal(clean('/home/anna/src/a.ts:12'), '~/src/a.ts:12');
    assert.equal(clean('https://h/x?key=abc123&page=2'), `https://h/x?key=${MASK}&page=2`);
  });

  it('takes out what the user’s own patterns find, in any case of letters', () => {
    assert.equal(clean('Project Zeus-42 and zeus-7', ['zeus-\\d+']), `Project ${MASK} and ${MASK}`);
    assert.equal(clean('abc', ['x*']), 'abc', 'an empty match takes nothing out');
    assert.equal(clean('a b a', ['a', 'b']), `${MASK} ${MASK} ${MASK}`);
  });

  it('refuses a pattern that can’t be read or takes too long, rather than let anything out', () => {
    assert.throws(
      () => clean('x', ['(']),
      (error: PatternError) => error instanceof PatternError && error.why === 'unreadable' && error.detail !== '',
    );
    const took = cpuTime();
    assert.throws(
      () => clean(`${'a'.repeat(50)}!`, ['^(a+)+$']),
      (error: PatternError) => error instanceof PatternError && error.why === 'slow',
    );
    assert(took() < 8000);
  });

  it('keeps sentences and hints where they stand in an observation', () => {
    const parts = ['The key is sk-proj-Ab12Cd34Ef56Gh78.', 'It lies in /home/anna/keys.', 'Nobody else has Zeus.'];
    const text = `${parts.join(' ')} A hint.`;
    let at = 0;
    const sentences = parts.map((part, index) => {
      const start = text.indexOf(part, at);
      at = start + part.length;
      return { index, start, end: at };
    });
    const before: Observation = {
      type: 'observation',
      time: '',
      step: 1,
      text,
      ok: true,
      ms: 1,
      sentences,
      hintAt: text.indexOf(' A hint'),
    };
    const { observation } = { observation: redact(before, { home, patterns: ['zeus'] }) };
    const seen = observation.sentences?.map(({ start, end }) => observation.text.slice(start, end));
    assert.deepEqual(seen, [`The key is ${MASK}.`, 'It lies in ~/keys.', `Nobody else has ${MASK}.`]);
    assert.equal(observation.text.slice(observation.hintAt), ' A hint.');
    assert.equal(before.text, text, 'the trace itself is not changed');
  });

  it('gives every other trace back as it was', () => {
    const trace = foldAll(answered);
    assert.deepEqual(redact(trace, { home }), trace);
  });

  it('takes any value, and keeps its shape', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const result = redact({ value, __proto__: null }, { home });
        assert.equal(JSON.stringify(Object.keys(result)), '["value"]');
        assert.equal(typeof result.value, typeof value);
      }),
    );
  });

  it('reads megabytes of anything in time that grows no faster than they do', () => {
    for (const piece of [
      'a',
      '/home/',
      'https://a:',
      'authorization ',
      '-----BEGIN PRIVATE KEY-----',
      'key=',
      '"\\',
      'sk-',
      'eyJ-',
    ]) {
      const text = piece.repeat(Math.ceil(1e6 / piece.length));
      const took = cpuTime();
      clean(text);
      assert(took() < 5000, `${piece}: ${took()} ms`);
    }
  }).timeout(60_000);
});
