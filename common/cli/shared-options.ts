import * as v from 'valibot';
import { file, flag, host, hostNames, port } from '../schemas.ts';
import { inGroup, option } from './options.ts';

export const off = { schema: flag, default: false };

export const on = { schema: flag, default: true };

export const listenOptions = {
  port: option('-p, --port <n>', 'listen on this port, 0 for a free port', { schema: port, default: 0 }),
  host: option('--host <name>', 'listen on this name or address', { schema: host, default: '127.0.0.1' }),
  allowHosts: option('--allow-host <name>', 'allow this name in the Host header, repeatable', {
    schema: hostNames,
    isRepeatable: true,
  }),
};

/** The line of a help about the variables that name a forward proxy. */
export const proxyVariables = 'HTTPS_PROXY, HTTP_PROXY, NO_PROXY  the forward proxy to go through';

/** The rows of the certificates of connections to a deployment. */
export const trustOptions = inGroup('TLS', {
  ca: option('--ca <file>', 'trust the certificates in this PEM file too', { schema: file }),
  clientCert: option('--client-cert <file>', 'send the client certificate in this PEM file', {
    schema: file,
  }),
  clientKey: option('--client-key <file>', 'use this key of the client certificate, in PEM', {
    schema: file,
  }),
  clientPassphrase: option('--client-passphrase <text>', 'decrypt the --client-key', {
    schema: v.string('must be a string'),
    variable: 'ANIMAL_STORE_CLIENT_PASSPHRASE',
  }),
  insecure: option('--insecure', 'trust any certificate', off),
});
