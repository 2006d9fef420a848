import type { NetworkInterfaceInfo } from 'node:os';
import { expect, test } from 'vitest';
import { isOnEveryAddress, listNetworkUrls, toLocalUrl } from './network-urls.ts';

const common = { netmask: '', mac: '', cidr: null };

function ipv4(address: string, internal = false): NetworkInterfaceInfo {
  return { ...common, address, internal, family: 'IPv4' };
}

function ipv6(address: string, internal = false): NetworkInterfaceInfo {
  return { ...common, address, internal, family: 'IPv6', scopeid: 0 };
}

const loopback = { lo: [ipv4('127.0.0.1', true), ipv6('::1', true)] };
const interfaces = {
  ...loopback,
  wlan0: [ipv4('192.168.1.20'), ipv6('fd00::2'), ipv6('fe80::1')],
  docker0: [ipv4('172.17.0.1')],
};

test('the URLs of the network have each IPv4 address that is not of this machine only', () => {
  const urls = ['https://192.168.1.20:4010/v1', 'https://172.17.0.1:4010/v1'];
  for (const host of ['0.0.0.0', '[::]'])
    expect(listNetworkUrls(`https://${host}:4010/v1`, interfaces)).toEqual(urls);
  expect(listNetworkUrls('http://0.0.0.0:4010/v1', loopback)).toEqual([]);
});

test.for([
  ['http://0.0.0.0:4010/v1', 'http://127.0.0.1:4010/v1', true],
  ['http://0:4010/v1', 'http://127.0.0.1:4010/v1', true],
  ['https://[::]:4010/v1', 'https://localhost:4010/v1', true],
  ['http://[::0]:4010/v1', 'http://localhost:4010/v1', true],
  ['http://[::1]:4010/v1', 'http://[::1]:4010/v1', false],
  ['http://127.0.0.1:4010/v1', 'http://127.0.0.1:4010/v1', false],
  ['http://laptop.local:4010/v1', 'http://laptop.local:4010/v1', false],
] as const)('this machine reaches %s at %s', ([url, local, isEvery]) => {
  expect([toLocalUrl(url), isOnEveryAddress(url)]).toEqual([local, isEvery]);
});
