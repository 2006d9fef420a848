/**
 * Return Node's modules for TLS, which load only where they are needed: with node:crypto they take longer to load than node:http, and most
 * mocks and proxies use HTTP on loopback.
 */
export const loadHttps = () => process.getBuiltinModule('node:https');
export const loadTls = () => process.getBuiltinModule('node:tls');
