import assert from 'node:assert/strict';
import { isAllowedHost, isPublicAddress } from '../../src/knowledge/addresses';

describe('Addresses', () => {
  it('on the public internet are told from all others', () => {
    const inside = [
      ...[
        '127.0.0.1',
        '127.255.255.254',
        '0.0.0.0',
        '10.0.0.5',
        '172.16.0.1',
        '172.31.255.255',
        '192.168.1.1',
        '169.254.169.254',
      ],
      ...[
        '100.64.0.1',
        '100.100.100.200',
        '198.18.0.1',
        '224.0.0.1',
        '239.255.255.250',
        '240.0.0.1',
        '255.255.255.255',
        '168.63.129.16',
      ],
      ...[
        '::',
        '::1',
        'fe80::1',
        'fe80::1%eth0',
        'fc00::1',
        'fd00:ec2::254',
        'ff02::1',
        'fec0::1',
        '2001:db8::1',
        '2002:7f00:1::',
        '2001::1',
      ],
      ...[
        '::ffff:127.0.0.1',
        '::ffff:7f00:1',
        '::ffff:10.0.0.5',
        '64:ff9b::a9fe:a9fe',
        '64:ff9b::127.0.0.1',
        '64:ff9b:1::1',
        '::7f00:1',
      ],
      ...['[::1]', '', 'example.org', '1.2.3', '127.1'],
    ];
    for (const address of inside) assert.ok(!isPublicAddress(address), address);
    const outside = [
      '93.184.216.34',
      '8.8.8.8',
      '172.32.0.1',
      '100.128.0.1',
      '2606:4700::1111',
      '2a00:1450::1',
      '::ffff:8.8.8.8',
      '::ffff:808:808',
    ];
    for (const address of [...outside, '64:ff9b::808:808', '[2606:4700::1111]'])
      assert.ok(isPublicAddress(address), address);
  });

  it('written as numbers are read as the browser reads them', () => {
    for (const host of ['2130706433', '0x7f000001', '0177.0.0.1', '127.1', '0x7f.1', '①②⑦.⓪.⓪.①']) {
      assert.ok(!isPublicAddress(new URL(`http://${host}/`).hostname), host);
    }
  });

  it('are opened by name, by port, or all under a name', () => {
    const open = ['Wiki.Corp', '127.0.0.1:8080', '*.intra.net'];
    for (const url of [
      'http://wiki.corp/x',
      'http://wiki.corp:99/',
      'http://127.0.0.1:8080/',
      'https://a.b.intra.net/',
    ]) {
      assert.ok(isAllowedHost(new URL(url), open), url);
    }
    for (const url of [
      'http://evilwiki.corp/',
      'http://127.0.0.1:8081/',
      'http://intra.net.evil.org/',
      'http://evilintra.net/',
    ]) {
      assert.ok(!isAllowedHost(new URL(url), open), url);
    }
  });
});
