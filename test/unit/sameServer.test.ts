import assert from 'node:assert/strict';
import { isSameServer } from '../../src/host/sameServer';

describe('A key that goes along to another address', () => {
  it('goes to the same server alone, and never back to an open line', () => {
    for (const [from, to, same] of [
      ['https://api.example.com', 'https://api.example.com/v1', true],
      ['api.example.com/v1', 'https://api.example.com/v1', true],
      ['localhost:11434', 'http://localhost:11434/v1', true],
      ['http://api.example.com/v1', 'https://api.example.com/v1', true],
      ['https://api.example.com/v1', 'http://api.example.com/v1', false],
      ['https://api.example.com/v1', 'https://api.example.com.elsewhere.net/v1', false],
      ['http://127.0.0.1:8080/v1', 'http://127.0.0.1:9090/v1', false],
      ['https://api.example.com/v1', 'nonsense', false],
      ['', 'https://api.example.com/v1', false],
    ] as const) {
      assert.equal(isSameServer(from, to), same, `${from} → ${to}`);
    }
  });
});
