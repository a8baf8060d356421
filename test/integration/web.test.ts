import assert from 'node:assert/strict';
import type { LookupAddress } from 'node:dns';
import { createServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { type FetchError, type FetchOptions, GuardedFetch } from '../../src/knowledge/guardedFetch';
import { startWebServer, type WebServer } from '../support/webServer';

const never = new AbortController().signal;
const megabyte = Buffer.alloc(1_000_000, 'a ');

/** 1 GB of zeros, as gzip: a megabyte of it on the wire, again and again. */
function bomb(): Buffer {
  return Buffer.concat(Array.from({ length: 20 }, () => gzipSync(Buffer.alloc(50_000_000))));
}

describe('Fetching from a real web server', function () {
  this.timeout(30_000);
  let server: WebServer;
  let running = 0;
  let mostAtOnce = 0;
  const zeros = bomb();

  before(async () => {
    server = await startWebServer((request, response) => {
      const path = request.url ?? '/';
      const hop = /^\/hop\/(\d+)$/.exec(path)?.[1];
      if (hop) response.writeHead(302, { location: hop === '1' ? '/text' : `/hop/${Number(hop) - 1}` }).end('x');
      else if (path === '/loop') response.writeHead(301, { location: '/loop' }).end();
      else if (path === '/to-file') response.writeHead(302, { location: 'file:///etc/passwd' }).end();
      else if (path === '/to-other')
        response.writeHead(307, { location: `http://other.test:${server.port}/admin` }).end();
      else if (path === '/to-metadata') response.writeHead(302, { location: 'http://169.254.169.254/latest/' }).end();
      else if (path === '/silent') return;
      else if (path === '/stalls') response.write('It began. ');
      else if (path === '/drips') {
        const timer = setInterval(() => response.write('drip '), 50);
        response.on('close', () => clearInterval(timer));
      } else if (path === '/long')
        response
          .writeHead(200, { 'content-length': '1000' })
          .write('Only this.', () => setTimeout(() => response.destroy(), 50));
      else if (path === '/endless') {
        const pour = () => {
          while (response.write(megabyte));
        };
        response.on('drain', pour);
        pour();
      } else if (path === '/bomb') response.writeHead(200, { 'content-encoding': 'gzip' }).end(zeros);
      else if (path === '/broken-gzip') response.writeHead(200, { 'content-encoding': 'gzip' }).end('no gzip at all');
      else if (path === '/half-gzip')
        response
          .writeHead(200, { 'content-encoding': 'gzip' })
          .end(gzipSync('Half of it. '.repeat(5000)).subarray(0, 60));
      else if (path === '/odd-encoding') response.writeHead(200, { 'content-encoding': 'snappy' }).end('x');
      else if (path === '/layers') response.writeHead(200, { 'content-encoding': 'gzip, gzip, gzip, gzip' }).end('x');
      else if (path === '/gzip')
        response.writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'text/plain' }).end(gzipSync('Small.'));
      else if (path.startsWith('/slow')) {
        mostAtOnce = Math.max(mostAtOnce, ++running);
        setTimeout(() => {
          running--;
          response.end('Slow.');
        }, 60);
      } else
        response.writeHead(200, { 'content-type': 'text/plain' }).end(`Text for ${request.headers['user-agent']}.`);
    });
  });
  after(() => server.close());

  const web = (options: FetchOptions = {}) => new GuardedFetch({ allowHosts: [server.host], ...options });
  const get = (path: string, options?: FetchOptions) => web(options).get(server.origin + path, never);
  const failure = (promise: Promise<unknown>) =>
    promise.then(
      () => assert.fail('should not have been fetched'),
      (error: FetchError) => error.failure,
    );
  const resolver =
    (answers: Record<string, string[]>) =>
    async (name: string): Promise<LookupAddress[]> =>
      (answers[name] ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

  it('names its program', async () => {
    assert.match((await get('/text')).body.toString(), /^Text for ReActAgent\//);
    assert.equal(
      (await get('/text', { userAgent: 'Tester (a@b.example)' })).body.toString(),
      'Text for Tester (a@b.example).',
    );
  });

  it('follows five redirects and no more', async () => {
    const response = await get('/hop/5');
    assert.equal(response.url, `${server.origin}/text`);
    assert.equal(await failure(get('/hop/6')), 'redirects');
    assert.equal(await failure(get('/loop')), 'redirects');
  });

  it('judges every hop', async () => {
    assert.equal(await failure(get('/to-file')), 'scheme');
    assert.equal(await failure(get('/to-metadata')), 'blocked');
    const resolve = resolver({ 'other.test': ['127.0.0.1'] });
    assert.equal(await failure(get('/to-other', { resolve })), 'blocked');
    assert.ok(!server.asked.includes('/admin'));
    const opened = await web({ resolve, allowHosts: [server.host, 'other.test'] }).get(
      `${server.origin}/to-other`,
      never,
    );
    assert.equal(opened.url, `http://other.test:${server.port}/admin`);
  });

  it('judges all addresses of a name, however they are written', async () => {
    for (const addresses of [
      ['127.0.0.1'],
      ['93.184.216.34', '127.0.0.1'],
      ['::ffff:127.0.0.1'],
      ['10.0.0.5'],
      ['fd00:ec2::254'],
      ['64:ff9b::7f00:1'],
    ]) {
      const resolve = resolver({ 'name.test': addresses });
      const before = server.asked.length;
      assert.equal(
        await failure(web({ resolve }).get(`http://name.test:${server.port}/text`, never)),
        'blocked',
        addresses.join(),
      );
      assert.equal(server.asked.length, before);
    }
    for (const host of [
      '127.0.0.1',
      '2130706433',
      '0x7f000001',
      '017700000001',
      '127.1',
      '[::1]',
      '[::ffff:127.0.0.1]',
      'localhost',
      'x.localhost',
      '0',
    ]) {
      assert.equal(await failure(new GuardedFetch().get(`http://${host}:${server.port}/text`, never)), 'blocked', host);
    }
  });

  it('connects to the address it judged, when the name changes its answer in between', async () => {
    let asked = 0;
    const resolve = async (): Promise<LookupAddress[]> => [
      { address: asked++ === 0 ? '192.0.32.1' : '127.0.0.1', family: 4 },
    ];
    const before = server.asked.length;
    const outcome = await failure(
      web({ resolve, totalSeconds: 1 }).get(`http://rebind.test:${server.port}/text`, never),
    );
    assert.ok(outcome === 'network' || outcome === 'timeout', outcome);
    assert.equal(asked, 1);
    assert.equal(server.asked.length, before);
  });

  it('gives up on a host that never answers, within its time', async () => {
    const started = performance.now();
    assert.equal(await failure(get('/silent', { idleSeconds: 0.3 })), 'timeout');
    assert.equal(await failure(get('/silent', { totalSeconds: 0.3 })), 'timeout');
    assert.equal(await failure(get('/drips', { totalSeconds: 0.4 })), 'timeout');
    assert.ok(performance.now() - started < 5000);
    const deaf = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => deaf.once('listening', resolve));
    const { port } = deaf.address() as { port: number };
    assert.equal(
      await failure(
        new GuardedFetch({ allowHosts: ['127.0.0.1'], idleSeconds: 0.3 }).get(`http://127.0.0.1:${port}/`, never),
      ),
      'timeout',
    );
    deaf.close();
    assert.equal(
      await failure(new GuardedFetch({ allowHosts: ['127.0.0.1'] }).get('http://127.0.0.1:1/', never)),
      'network',
    );
  });

  it('stops when the run stops', async () => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 50);
    const one = web();
    const waits = [`${server.origin}/silent`, `${server.origin}/text`].map((address) => one.get(address, stop.signal));
    for (const wait of waits) await assert.rejects(wait, { name: 'AbortError' });
    assert.match((await one.get(`${server.origin}/text`, never)).body.toString(), /^Text for/);
  });

  it('keeps what came of a body that stalls or breaks off', async () => {
    const stalled = await get('/stalls', { idleSeconds: 0.3 });
    assert.deepEqual([stalled.body.toString(), stalled.cut], ['It began. ', true]);
    const long = await get('/long');
    assert.deepEqual([long.body.toString(), long.cut], ['Only this.', true]);
    const half = await get('/half-gzip');
    assert.match(half.body.toString(), /^Half of it\./);
  });

  it('reads compressed bodies, and refuses those it cannot read', async () => {
    assert.equal((await get('/gzip')).body.toString(), 'Small.');
    for (const path of ['/broken-gzip', '/odd-encoding', '/layers'])
      assert.equal(await failure(get(path)), 'encoding', path);
  });

  it('stays within its size, whatever is poured out', async () => {
    const before = process.memoryUsage().rss;
    for (const path of ['/endless', '/bomb', '/endless', '/bomb']) {
      const { body, cut } = await get(path, { maxBytes: 2_000_000 });
      assert.deepEqual([body.length, cut], [2_000_000, true], path);
    }
    const grown = (process.memoryUsage().rss - before) / 1e6;
    assert.ok(grown < 150, `${grown} MB`);
  });

  it('asks a host one thing at a time', async () => {
    const one = web();
    await Promise.all(Array.from({ length: 5 }, (_, at) => one.get(`${server.origin}/slow/${at}`, never)));
    assert.equal(mostAtOnce, 1);
  });
});
